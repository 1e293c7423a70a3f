// What a line of a timeline says, as a code with its subjects. say-fact.ts makes the words when somebody reads it: a wording can change
// without touching what is stored, and queries search codes and subjects, never words.
import type { Scalar } from '../definition/definition.js';

/** The kind of a line. */
export type What =
  | 'entered'
  | 'step'
  | 'waiting'
  | 'branch'
  | 'split'
  | 'message'
  | 'webhook'
  | 'property'
  | 'list'
  | 'event'
  | 'goal'
  | 'moved'
  | 'completed'
  | 'exited';

/** What made a contact enter. */
export type Cause =
  | { readonly code: 'eventCame'; readonly eventName: string }
  | { readonly code: 'joinedList' | 'leftList' }
  | { readonly code: 'propertyChanged'; readonly property: string }
  | { readonly code: 'dateCame'; readonly property: string }
  | { readonly code: 'inRun'; readonly runId: string }
  | { readonly code: 'startedBy'; readonly journeyId: string }
  | { readonly code: 'byHand'; readonly by?: string | undefined; readonly via: 'session' | 'app' | 'token' }
  | { readonly code: 'atBeginning' };

/** Times are milliseconds since 1970. `filter` is a filter in the words it had at that moment: the journey may be edited since. */
export type Fact =
  | (Cause & { readonly isHoldout?: true })
  | { readonly code: 'heldOut' }
  | { readonly code: 'waits'; readonly until: number; readonly atMost?: true }
  | { readonly code: 'rests'; readonly until: number }
  | { readonly code: 'noTime'; readonly property: string }
  | { readonly code: 'timePassed'; readonly time: number }
  | { readonly code: 'caseTaken'; readonly place: number; readonly of: number; readonly filter: string }
  | { readonly code: 'noCase' }
  | { readonly code: 'eventTaken'; readonly place: number; readonly of: number; readonly eventName: string }
  | { readonly code: 'filterTaken'; readonly place: number; readonly of: number; readonly filter: string }
  | { readonly code: 'timedOut'; readonly timeout: string }
  | { readonly code: 'armTaken'; readonly arm: string; readonly bucket: number }
  | { readonly code: 'armWon'; readonly arm: string; readonly isSignificant: boolean }
  | { readonly code: 'queued'; readonly until?: number }
  | { readonly code: 'notSent'; readonly reason: string }
  | { readonly code: 'called'; readonly host: string }
  | { readonly code: 'answered'; readonly status: number; readonly hasJson: boolean }
  | { readonly code: 'givenUp'; readonly why: string }
  | { readonly code: 'propertySet'; readonly property: string; readonly value: Scalar | null }
  | { readonly code: 'noEntryValue'; readonly property: string }
  | { readonly code: 'listAdded' | 'listRemoved'; readonly staticListId: string }
  | { readonly code: 'emitted'; readonly eventName: string }
  | { readonly code: 'journeyStarted'; readonly journeyId: string }
  /** `chain`: how many journeys had started one another. Absent: it is not an active trigger journey. */
  | { readonly code: 'journeyNotStarted'; readonly journeyId: string; readonly chain?: number }
  | { readonly code: 'writeRefused'; readonly why: string }
  | { readonly code: 'goalReached'; readonly filter: string }
  | { readonly code: 'movedToVersion' }
  | { readonly code: 'ended'; readonly reason: string; readonly why?: string };

/** What a stored line says. Lines from before there were codes have words; those that queries look for have both. */
export interface StoredFact {
  readonly code: string | null;
  readonly subjects: Readonly<Record<string, unknown>> | null;
  readonly detail: string | null;
}

export interface StoredLine extends StoredFact {
  readonly at: string;
  readonly what: What;
  readonly stepId: string | null;
}

export function subjectsOf({ code: _, ...subjects }: Fact): Readonly<Record<string, unknown>> | null {
  return Object.keys(subjects).length === 0 ? null : subjects;
}
