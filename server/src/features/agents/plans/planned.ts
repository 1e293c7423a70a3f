// What a plan is: what is given, and what is made of it.
import { type Static, Type } from 'typebox';
import { invalid } from '../../../http/api-error.js';
import type { ShownContact } from '../tools/people.js';
import { emailFields, listFields } from '../tools/save.js';
import { contactFields } from '../tools/update-contact.js';

export const PlanInput = Type.Object({
  action: Type.Enum([
    ...['activate_journey', 'pause_journey', 'resume_journey', 'stop_journey', 'enrol', 'send_email', 'change'],
  ] as const),
  journeyId: Type.Optional(Type.String()),
  inFlight: Type.Optional(
    Type.Enum(['finish', 'move'], { description: 'publishing a draft: people in it finish in their version, or move' }),
  ),
  ...contactFields,
  ...emailFields,
  ...listFields,
  contactIds: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 1000 })),
  staticListId: Type.Optional(Type.String()),
  transactional: Type.Optional(Type.Boolean()),
});
export type PlanGiven = Static<typeof PlanInput>;

/** A plan that is not stored yet. */
export interface Prepared {
  sentence: string;
  reach: number;
  firstRecipients: ShownContact[];
  warnings: string[];
  /** If it differs when the plan is applied, the plan is made again. */
  basis: Record<string, unknown>;
  contactIds: string[];
  touched: string[];
  /** Does it. `key`: unique for each part, so that nothing is done twice. */
  run(key: (part: number) => { key: string; bodyHash: string }): Promise<Record<string, unknown>>;
}

export function journeyIdOf({ journeyId }: PlanGiven): string {
  if (journeyId === undefined) throw invalid('journeyId', 'is required');
  return journeyId;
}
