// Adds and removes ways of a step that has several.
import type { Arm, Case, Step, WaitBranch } from './definition.ts';
import { waysOf } from './ways.ts';

type Choice = Case | WaitBranch | Arm;

/** Another case, branch or arm; it starts out leading where the last one leads. */
export function addWay(step: Step): Step {
  const last = waysOf(step).at(-1)?.to ?? null;
  switch (step.type) {
    case 'branch':
      return { ...step, cases: [...step.cases, { filter: { all: [] }, next: last }] };
    case 'waitUntil':
      return { ...step, branches: [...step.branches, { event: { eventName: '' }, next: last }] };
    case 'split':
      return { ...step, arms: evenly([...step.arms, { name: armName(step.arms), percent: 0, next: last }]) };
    default:
      return step;
  }
}

export function removeWay(step: Step, at: number): Step {
  const without = <Item extends Choice>(items: readonly Item[]) => items.toSpliced(at, 1);
  if (step.type === 'branch') return { ...step, cases: without(step.cases) };
  if (step.type === 'waitUntil') return { ...step, branches: without(step.branches) };
  if (step.type === 'split') return { ...step, arms: evenly(without(step.arms)) };
  return step;
}

/** Whole percentages that sum to 100; the first ones take the remainder. */
export function evenly(arms: readonly Arm[]): Arm[] {
  const share = Math.floor(100 / arms.length);
  const rest = 100 - share * arms.length;
  return arms.map((arm, at) => ({ ...arm, percent: share + (at < rest ? 1 : 0) }));
}

function armName(arms: readonly Arm[]): string {
  const names = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  return names.find((name) => !arms.some((arm) => arm.name === name)) ?? String(arms.length + 1);
}
