import type { DataValue, explainJourney } from '@rapport/contract';
import type { Definition } from '../definition/definition.js';
import type { Json } from '../queries.js';
import type { ToldEnrolment, ToldJourney } from './queries.js';

export type Explanation = DataValue<typeof explainJourney>;
export type Reason = Explanation['reasons'][number];

/** What a reason is about, for those who would change it. */
type Subjects = Pick<Reason, 'state' | 'staticListId' | 'dynamicListId'>;

export function reason(
  what: Reason['what'],
  holds: boolean,
  detail: string,
  at: string | null = null,
  subjects: Subjects = {},
): Reason {
  return { at, what, holds, detail, ...subjects };
}

const exits: Readonly<Record<string, string>> = {
  ...{ exit: 'they reached an exit step', exitWhen: 'they met the exit condition', goal: 'they reached the goal' },
  ...{ takenOut: 'they were taken out', journeyStopped: 'the journey was stopped' },
  ...{ erased: 'the contact was erased', error: 'something went wrong' },
};

/** Why they left: one of our reasons in words, or the reason of an exit step. */
export function sayExit(why: string | null): string {
  if (why === null) return 'the reason is not known';
  return Object.hasOwn(exits, why) ? (exits[why] ?? why) : why;
}

/** A version that was read, and as it was written. */
export interface ReadVersion {
  readonly definition: Definition;
  readonly json: Json;
}

/** Everything that reasons are found from. */
export interface Case {
  readonly tenantId: number;
  readonly contactId: string;
  readonly journey: ToldJourney;
  /** The version that contacts enter, or would. */
  readonly entered: ReadVersion;
  /** The newest first. */
  readonly enrolments: readonly ToldEnrolment[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly timeZone: string;
  readonly now: number;
}
