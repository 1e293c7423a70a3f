// Where a step leads: each way out has a name, its slot, by which it is found and changed.
import type { Definition, Next, Step } from './definition.ts';

/** `next`, `otherwise`, `onTimeout`, `onError`, or one of many: `case.0`, `branch.0`, `arm.0`. */
export type Slot = string;

interface Way {
  readonly slot: Slot;
  readonly to: Next;
}

/** For a step whose ways are all written out, as by `explicit`. The main one, which contacts usually take, comes first. */
export function waysOf(step: Step): Way[] {
  const to = (next: Next | undefined): Next => next ?? null;
  switch (step.type) {
    case 'branch':
      return [
        ...step.cases.map((one, at) => ({ slot: `case.${at}`, to: to(one.next) })),
        { slot: 'otherwise', to: to(step.otherwise) },
      ];
    case 'waitUntil':
      return [
        ...step.branches.map((one, at) => ({ slot: `branch.${at}`, to: to(one.next) })),
        { slot: 'onTimeout', to: to(step.onTimeout) },
      ];
    case 'split':
      return step.arms.map((arm, at) => ({ slot: `arm.${at}`, to: to(arm.next) }));
    case 'webhook':
      return [
        { slot: 'next', to: to(step.next) },
        ...(step.onError === undefined ? [] : [{ slot: 'onError', to: step.onError }]),
      ];
    case 'exit':
      return [];
    default:
      return [{ slot: 'next', to: to(step.next) }];
  }
}

export function withWay(step: Step, slot: Slot, to: Next): Step {
  const [kind, index] = slot.split('.');
  const at = Number(index);
  const put = <Item extends object>(items: readonly Item[]) =>
    items.map((item, i) => (i === at ? { ...item, next: to } : item));
  if (kind === 'case' && step.type === 'branch') return { ...step, cases: put(step.cases) };
  if (kind === 'branch' && step.type === 'waitUntil') return { ...step, branches: put(step.branches) };
  if (kind === 'arm' && step.type === 'split') return { ...step, arms: put(step.arms) };
  return { ...step, [slot]: to };
}

/** The same definition with every way written out, so that steps can be added and removed without changing other steps' ways. */
export function explicit(definition: Definition): Definition {
  const { steps } = definition;
  return { ...definition, steps: steps.map((step, at) => writeOut(step, steps[at + 1]?.id ?? null)) };
}

function writeOut(step: Step, following: Next): Step {
  const { next, ...rest } = step;
  const fallback = next === undefined ? following : next;
  const filled = <Item extends { next?: Next | undefined }>(items: readonly Item[]) =>
    items.map((item) => ({ ...item, next: item.next === undefined ? fallback : item.next }));
  const or = (to: Next | undefined) => (to === undefined ? fallback : to);
  switch (rest.type) {
    case 'branch':
      return { ...rest, cases: filled(rest.cases), otherwise: or(rest.otherwise) };
    case 'waitUntil':
      return { ...rest, branches: filled(rest.branches), onTimeout: or(rest.onTimeout) };
    case 'split':
      return { ...rest, arms: filled(rest.arms) };
    case 'exit':
      return rest;
    default:
      return { ...rest, next: fallback };
  }
}

/** As a person would write it: ways to the following step are omitted, and so are unset fields. */
export function compact(definition: Definition): Definition {
  const { steps } = definition;
  const written = steps.map((step, at): Step => {
    const following = steps[at + 1]?.id ?? null;
    if (!('next' in step) || step.next !== following) return step;
    const { next: _, ...rest } = step;
    return rest;
  });
  return JSON.parse(JSON.stringify({ ...definition, steps: written })) as Definition;
}
