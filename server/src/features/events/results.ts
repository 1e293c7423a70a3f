// Results of a batch of events, kept small: one letter per event, and the ids they came with.
import type { EventResult } from '@rapport/contract';
import type { Static } from 'typebox';
import type { WriteOutcome } from '../transactions/index.js';

type Result = Static<typeof EventResult>;
type EventStatus = Result['status'];

/** What is stored in write_transaction.results. */
export interface StoredEventResults {
  /** Whether any are repeats. Comes first, where an index finds it without reading the rest. */
  repeats?: true;
  /** S, D or F for each event. */
  items: string;
  /** Their ids, one per line; empty if an event has none. As one text: in an array of JSON strings, each would be quoted. */
  ids: string;
}

const letters: Record<EventStatus, string> = { STORED: 'S', DUPLICATE: 'D', FAILED: 'F' };
const statuses: Record<string, EventStatus> = { S: 'STORED', D: 'DUPLICATE', F: 'FAILED' };

export interface EventOutcome {
  eventId: string | null;
  status: EventStatus;
  error?: string;
}

export function packResults(outcomes: readonly EventOutcome[]): WriteOutcome {
  let items = '';
  let ids = '';
  const failures: NonNullable<WriteOutcome['failures']> = [];
  outcomes.forEach(({ eventId, status, error }, item) => {
    items += letters[status];
    ids += item === 0 ? (eventId ?? '') : `\n${eventId ?? ''}`;
    if (error !== undefined) failures.push({ item, email: null, error });
  });
  const repeats = items.includes(letters.DUPLICATE) ? ({ repeats: true } as const) : {};
  return { results: { ...repeats, items, ids } satisfies StoredEventResults, failures };
}

export function unpackResults({ items, ids }: StoredEventResults, errors: ReadonlyMap<number, string>): Result[] {
  const eventIds = ids.split('\n');
  return [...items].map((letter, item) => {
    const error = errors.get(item);
    return {
      eventId: eventIds[item] || null,
      status: statuses[letter] as EventStatus,
      ...(error === undefined ? {} : { error }),
    };
  });
}

/** The results without the ids of some events: those of an erased person. */
export function forgetIds(results: StoredEventResults, forgotten: ReadonlySet<number>): StoredEventResults {
  const kept = results.ids.split('\n').map((id, item) => (forgotten.has(item) ? '' : id));
  return { ...results, ids: kept.join('\n') };
}

/** The ids of some events of a write. */
export function idsAt({ ids }: StoredEventResults, items: readonly number[]): string[] {
  const all = ids.split('\n');
  return items.map((item) => all[item] ?? '').filter((id) => id !== '');
}

/** Which events of a write were repeats of these ids. */
export function repeatsOf({ items, ids }: StoredEventResults, of: ReadonlySet<string>): ReadonlySet<number> {
  const repeats = new Set<number>();
  ids.split('\n').forEach((id, item) => {
    if (items[item] === letters.DUPLICATE && of.has(id)) repeats.add(item);
  });
  return repeats;
}
