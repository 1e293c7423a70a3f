// What can happen to a contact in a simulation, and in which order.
import type { Arrival, ArrivedEvent } from '../engine/types.js';
import type { EnrolmentInHand } from '../turn/enrolment.js';

export type Happening =
  | { readonly kind: 'enter'; readonly contactId: string }
  | (SimulatedEvent & { readonly kind: 'event'; readonly chain: number })
  /** Its time has come. */
  | { readonly kind: 'due'; readonly enrolment: EnrolmentInHand }
  /** Something about the contact changed. */
  | { readonly kind: 'changed'; readonly enrolment: EnrolmentInHand }
  | { readonly kind: 'arrival'; readonly enrolment: EnrolmentInHand; readonly arrival: Arrival };

interface SimulatedEvent {
  readonly contactId: string;
  readonly eventName: string;
  readonly event: ArrivedEvent;
}

/** By contact, what is to happen to it at one moment. */
export type Queues = Map<string, Happening[]>;

export function queue(queues: Queues, happening: Happening): void {
  const contactId = 'enrolment' in happening ? happening.enrolment.contactId : happening.contactId;
  const own = queues.get(contactId);
  if (own) own.push(happening);
  else queues.set(contactId, [happening]);
}

export function arrival(enrolment: EnrolmentInHand, what: Arrival): Happening {
  return { kind: 'arrival', enrolment, arrival: what };
}
