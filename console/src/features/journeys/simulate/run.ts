// A simulation that can be watched: who was where, at any moment of a virtual clock.
import type { DataValue, simulateJourney } from '@rapport/contract';
import type { Definition, Step } from '../model/definition.ts';
import { entryPlace } from '../model/edit.ts';
import { edgeId } from '../model/graph.ts';
import { waysOf } from '../model/ways.ts';

export type Simulation = DataValue<typeof simulateJourney>;
type Simulated = Simulation['contacts'][number];
export type Note = Simulated['timeline'][number];

interface Visit {
  readonly stepId: string;
  readonly from: number;
  /** Null: still there at the end. */
  readonly to: number | null;
  /** The line by which it left; undefined if it was removed, or is still there. */
  readonly edge: string | undefined;
}

/** One passage of one contact. */
export interface Trip {
  readonly contactId: string;
  readonly enteredAt: number;
  readonly endedAt: number | null;
  readonly endedAs: Simulated['endedAs'];
  readonly visits: readonly Visit[];
  readonly mails: readonly { readonly at: number; readonly stepId: string }[];
  readonly goalAt: number | null;
  /** In the holdout: goes the same way and gets no mail. */
  readonly isHeldOut: boolean;
  readonly notes: readonly Note[];
}

export interface Move {
  readonly at: number;
  readonly edge: string;
  readonly trip: number;
}

export interface Run {
  readonly trips: readonly Trip[];
  /** Participants who never entered. */
  readonly outside: readonly string[];
  readonly start: number;
  readonly end: number;
  /** In order of time. */
  readonly moves: readonly Move[];
}

/** `definition` is the simulated one, with every way written out. */
export function runOf(simulation: Simulation, definition: Definition, from: number): Run {
  const steps = new Map(definition.steps.map((step) => [step.id, step]));
  const trips = simulation.contacts.flatMap((contact) => (contact.entered ? [tripOf(contact, steps)] : []));
  const moves = trips.flatMap(({ enteredAt, visits }, trip) => [
    { at: enteredAt, edge: edgeId(entryPlace), trip },
    ...visits.flatMap(({ to, edge }) => (to === null || edge === undefined ? [] : [{ at: to, edge, trip }])),
  ]);
  const times = trips.flatMap(({ notes }) => notes.map(({ at }) => Date.parse(at)));
  return {
    trips,
    outside: simulation.contacts.flatMap(({ entered, contactId }) => (entered ? [] : [contactId])),
    start: Math.min(from, ...times.slice(0, 1)),
    end: times.reduce((last, at) => Math.max(last, at), from),
    moves: moves.sort((one, other) => one.at - other.at),
  };
}

function tripOf({ contactId, endedAs, timeline }: Simulated, steps: ReadonlyMap<string, Step>): Trip {
  const at = (note: Note | undefined) => (note ? Date.parse(note.at) : null);
  const arrivals = timeline.flatMap(({ what }, index) => (what === 'step' ? [index] : []));
  const ended = endedAs === null ? undefined : timeline.findLast(({ what }) => what === endedAs);
  const visits = arrivals.map((index, order): Visit => {
    const next = arrivals[order + 1];
    const arrived = timeline[index] as Note;
    const own = timeline.slice(index, next);
    const onward = next === undefined ? undefined : timeline[next];
    const isThrough = onward !== undefined || ended?.what === 'completed';
    const step = steps.get(arrived.stepId ?? '');
    return {
      stepId: arrived.stepId ?? '',
      from: Date.parse(arrived.at),
      to: at(onward ?? ended),
      edge: step && isThrough ? edgeTaken(step, own, onward?.stepId ?? null) : undefined,
    };
  });
  return {
    ...{ contactId, endedAs, visits, notes: timeline, endedAt: at(ended) },
    enteredAt: at(timeline[0]) ?? 0,
    mails: timeline.filter(isMail).map((note) => ({ at: leavesAt(note), stepId: note.stepId ?? '' })),
    goalAt: at(timeline.find(({ what }) => what === 'goal')),
    isHeldOut: timeline.some(({ fact }) => fact !== undefined && 'isHoldout' in fact),
  };
}

/** A message that is sent. */
export const isMail = ({ what, fact }: Note): boolean => what === 'message' && fact?.code !== 'notSent';

/** A message that waits for its window says when it is sent. */
const leavesAt = ({ at, fact }: Note): number => (fact?.code === 'queued' ? fact.until : undefined) ?? Date.parse(at);

/** The timeline says which case, branch or arm it was; if not, the first way that leads there. */
function edgeTaken(step: Step, notes: readonly Note[], to: string | null): string | undefined {
  const ways = waysOf(step);
  const said = slotSaid(step, notes.find(({ what }) => what === 'branch' || what === 'split')?.fact);
  const way =
    ways.find(({ slot, to: leads }) => slot === said && leads === to) ?? ways.find(({ to: leads }) => leads === to);
  return way && edgeId({ from: step.id, slot: way.slot });
}

function slotSaid(step: Step, fact: Note['fact']): string | undefined {
  const place = fact && 'place' in fact ? fact.place - 1 : undefined;
  if (step.type === 'branch') return place === undefined ? 'otherwise' : `case.${place}`;
  if (step.type === 'waitUntil') return place === undefined ? 'onTimeout' : `branch.${place}`;
  if (step.type !== 'split' || !fact || !('arm' in fact)) return undefined;
  const at = step.arms.findIndex(({ name }) => name === fact.arm);
  return at < 0 ? undefined : `arm.${at}`;
}
