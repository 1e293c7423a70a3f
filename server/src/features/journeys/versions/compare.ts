// What another definition would mean for those who are on the way. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { compareJourney, DataValue } from '@rapport/contract';

type Comparison = DataValue<typeof compareJourney>;
type ComparedStep = Comparison['steps'][number];
type Becomes = ComparedStep['becomes'];

/** How many stand at a step of a version. `stepId` null: before the first. */
export interface Standing {
  version: number;
  stepId: string | null;
  inProgress: number;
}

/** A step as it was written. */
export type StepJson = Readonly<Record<string, unknown>>;

/** Every step of the version that contacts enter, then steps of others where somebody stands. */
export function compare(
  standing: readonly Standing[],
  stepsOf: (version: number) => readonly StepJson[],
  present: number | null,
  wanted: readonly StepJson[],
): Comparison {
  const rows = new Map<string, ComparedStep>();
  const totals = { inProgress: 0, stays: 0, moves: 0, keepsVersion: 0 };
  const count = (step: StepJson | undefined, stepId: string, inProgress: number) => {
    const becomes = becomesOf(step, stepId, wanted);
    const key = JSON.stringify([stepId, becomes]);
    const row = rows.get(key) ?? { stepId, inProgress: 0, becomes };
    rows.set(key, { ...row, inProgress: row.inProgress + inProgress });
    totals.inProgress += inProgress;
    totals[becomes] += inProgress;
  };
  for (const step of present === null ? [] : stepsOf(present)) count(step, String(step.id), 0);
  for (const { version, stepId, inProgress } of [...standing].sort((a, b) => b.version - a.version)) {
    const steps = stepsOf(version);
    const step = stepId === null ? steps[0] : steps.find((each) => each.id === stepId);
    count(step, stepId ?? String(step?.id), inProgress);
  }
  return { steps: [...rows.values()], totals };
}

function becomesOf(step: StepJson | undefined, stepId: string, wanted: readonly StepJson[]): Becomes {
  const after = wanted.find((each) => each.id === stepId);
  if (!after) return 'keepsVersion';
  return isDeepStrictEqual(nameless(step), nameless(after)) ? 'stays' : 'moves';
}

/** What a step is called changes nothing for anyone. */
function nameless(step: StepJson | undefined): StepJson | undefined {
  if (step === undefined) return undefined;
  const { name: _, ...rest } = step;
  return rest;
}
