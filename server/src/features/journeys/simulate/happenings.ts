// What can happen to a contact in a simulation, and in which order.
import type { Arrival, ArrivedEvent } from '../engine/types.js';
import type { Traveller } from '../work/traveller.js';

export type Happening =
  | { readonly kind: 'enter'; readonly contactId: string }
  | (SimulatedEvent & { readonly kind: 'event'; readonly chain: number })
  /** Its time has come. */
  | { readonly kind: 'due'; readonly traveller: Traveller }
  /** Something about the contact changed. */
  | { readonly kind: 'changed'; readonly traveller: Traveller }
  | { readonly kind: 'arrival'; readonly traveller: Traveller; readonly arrival: Arrival };

export interface SimulatedEvent {
  readonly contactId: string;
  readonly eventName: string;
  readonly event: ArrivedEvent;
}

/** By contact, what is to happen to it at one moment. */
export type Queues = Map<string, Happening[]>;

export function queue(queues: Queues, happening: Happening): void {
  const contactId = 'traveller' in happening ? happening.traveller.contactId : happening.contactId;
  const own = queues.get(contactId);
  if (own) own.push(happening);
  else queues.set(contactId, [happening]);
}

export function arrival(traveller: Traveller, what: Arrival): Happening {
  return { kind: 'arrival', traveller, arrival: what };
}

export function note(
  by: Traveller,
  detail: string | undefined,
  now: number,
  what: 'property' | 'event' = 'property',
): void {
  if (detail === undefined) return;
  const { stepId } = by.state;
  by.notes.push({ at: now, what, detail, ...(what === 'event' || stepId === null ? {} : { stepId }) });
}

export function notStarted(journeyId: string): string {
  return `The journey ${journeyId} was not started: it is not an active trigger journey.`;
}
