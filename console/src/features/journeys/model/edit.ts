// Edits of a journey on the canvas. Every function returns a new definition, with all ways written out; none changes its
// input, so undo just keeps the old one.
import type { Definition, Next, Step, StepType } from './definition.ts';
import { newStep } from './new-step.ts';
import { type Slot, waysOf, withWay } from './ways.ts';

/** A way into which a step can be inserted: out of a step, or from the entry to the first. */
export interface Place {
  readonly from: string;
  readonly slot: Slot;
}

/** Stands for the entry in place of a step id. No step can have it: an id has no colon. */
export const entryId = ':entry';
export const entryPlace: Place = { from: entryId, slot: 'next' };

export function stepOf({ steps }: Definition, id: string | undefined): Step | undefined {
  return steps.find((step) => step.id === id);
}

export function targetOf(definition: Definition, { from, slot }: Place): Next {
  if (from === entryId) return definition.steps[0]?.id ?? null;
  const step = stepOf(definition, from);
  return (step && waysOf(step).find((way) => way.slot === slot)?.to) ?? null;
}

/** Where a step goes that is dropped onto another one: after it, on its main way. Undefined after an exit. */
export function placeAfter(definition: Definition, id: string): Place | undefined {
  if (id === entryId) return entryPlace;
  const step = stepOf(definition, id);
  const way = step && waysOf(step)[0];
  return way && { from: id, slot: way.slot };
}

/** The last place on the main way: the default. */
export function lastPlace(definition: Definition): Place {
  let place = entryPlace;
  const seen = new Set<string>();
  for (let to = targetOf(definition, place); to !== null && !seen.has(to); to = targetOf(definition, place)) {
    seen.add(to);
    const after = placeAfter(definition, to);
    if (!after) return place;
    place = after;
  }
  return place;
}

interface Inserted {
  readonly definition: Definition;
  readonly id: string;
}

/** All ways of the new step lead where the old way led: the ways of an inserted branch join again, and no way is lost. */
export function insertStep(definition: Definition, place: Place, type: StepType): Inserted {
  const made = newStep(type, new Set(definition.steps.map(({ id }) => id)));
  const to = targetOf(definition, place);
  const step = waysOf(made).reduce((old, { slot }) => withWay(old, slot, to), made);
  const { steps } = definition;
  const from = steps.findIndex(({ id }) => id === place.from);
  const before = steps.map((old) => (old.id === place.from ? withWay(old, place.slot, step.id) : old));
  // Next to the one before it, so that the text of the definition reads like the canvas; the first step is the beginning.
  return { definition: { ...definition, steps: before.toSpliced(from + 1, 0, step) }, id: step.id };
}

interface Removed {
  readonly definition: Definition;
  /** Steps that only it led to, and that were removed with it. */
  readonly also: readonly string[];
}

/** Ways to it now lead to where its main way led. */
export function removeStep(definition: Definition, id: string): Removed {
  const gone = stepOf(definition, id);
  if (!gone) return { definition, also: [] };
  const before = reachable(definition);
  const onward = mainWay(gone);
  const steps = definition.steps.flatMap((step) =>
    step.id === id ? [] : [redirect(step, id, onward === id ? null : onward)],
  );
  const first = definition.steps[0]?.id === id ? onward : definition.steps[0]?.id;
  const rest = { ...definition, steps: startingAt(steps, first) };
  const after = reachable(rest);
  const also = rest.steps.map((step) => step.id).filter((one) => before.has(one) && !after.has(one));
  // Unreachable steps may have led there.
  const left = rest.steps
    .filter((step) => !also.includes(step.id))
    .map((step) => also.reduce((old, one) => redirect(old, one, null), step));
  return { definition: { ...rest, steps: left }, also };
}

/** Where most contacts go: past a branch by its `otherwise`, past a wait by its first branch. */
function mainWay(step: Step): Next {
  const ways = waysOf(step);
  const usual = step.type === 'branch' ? ways.at(-1) : ways[0];
  return usual?.to ?? ways.find(({ to }) => to !== null)?.to ?? null;
}

function redirect(step: Step, from: string, to: Next): Step {
  return waysOf(step).reduce((old, way) => (way.to === from ? withWay(old, way.slot, to) : old), step);
}

function startingAt(steps: readonly Step[], id: Next | undefined): readonly Step[] {
  const at = steps.findIndex((step) => step.id === id);
  const first = steps[at];
  return at <= 0 || !first ? steps : [first, ...steps.toSpliced(at, 1)];
}

export function reachable({ steps }: Definition): Set<string> {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const seen = new Set<string>();
  const waiting = steps[0] ? [steps[0].id] : [];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const step = byId.get(id);
    if (!step || seen.has(id)) continue;
    seen.add(id);
    for (const { to } of waysOf(step)) if (to !== null) waiting.push(to);
  }
  return seen;
}

export function changeStep(definition: Definition, id: string, change: (step: Step) => Step): Definition {
  return { ...definition, steps: definition.steps.map((step) => (step.id === id ? change(step) : step)) };
}

export function connect(definition: Definition, { from, slot }: Place, to: Next): Definition {
  if (from !== entryId) return changeStep(definition, from, (step) => withWay(step, slot, to));
  return { ...definition, steps: startingAt(definition.steps, to) };
}

/** The id under which figures are kept: ways to the step follow it. */
export function renameStep(definition: Definition, from: string, to: string): Definition {
  if (from === to || definition.steps.some(({ id }) => id === to)) return definition;
  const steps = definition.steps.map((step) => redirect(step, from, to));
  return { ...definition, steps: steps.map((step) => (step.id === from ? { ...step, id: to } : step)) };
}
