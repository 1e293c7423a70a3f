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
