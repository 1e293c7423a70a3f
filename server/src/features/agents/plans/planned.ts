// What a plan is: what is given, and what is made of it.
import { agentActions } from '@rapport/contract';
import { type Static, Type } from 'typebox';
import { invalid } from '../../../http/api-error.js';
import type { ShownContact } from '../tools/people.js';
import { emailFields, listFields } from '../tools/save.js';
import { contactFields } from '../tools/update-contact.js';

export const PlanInput = Type.Object({
  action: Type.Enum(agentActions),
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
  /** Does it, part by part: one that was done is not done again. `seen`: the reach that the person saw. */
  run(step: DoPart, seen: number): Promise<Record<string, unknown>>;
}

/** Does one part of a plan, under the idempotency key of that part. */
export type DoPart = <T>(part: number, act: (key: { key: string; bodyHash: string }) => Promise<T>) => Promise<T>;

/** By more than 10 % or by more than 10 people, whichever comes first: that is not what the person saw. */
export function hasGrown(reach: number, seen: number): boolean {
  return reach > seen * 1.1 || reach > seen + 10;
}

export function journeyIdOf({ journeyId }: PlanGiven): string {
  if (journeyId === undefined) throw invalid('journeyId', 'is required');
  return journeyId;
}
