// The changes from one definition of a journey to another, in plain words. Pure.
import { t } from '../../../texts/journeys.ts';
import type { Definition, Step } from '../model/definition.ts';
import { type Names, sayEntry, sayStep, sayWay } from '../model/say.ts';
import { type RuleName, ruleNames, sayRule } from '../model/say-rules.ts';
import { waysOf } from '../model/ways.ts';

export interface Change {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly text: string;
  readonly details: readonly string[];
}

/** For definitions with every way written out. */
export function tellDifference(before: Definition, after: Definition, names: Names): Change[] {
  return [
    ...entryChange(before, after, names),
    ...stepChanges(before, after, names),
    ...ruleNames.flatMap((name) => ruleChange(name, before, after)),
  ];
}

const isSame = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);

/** The order of keys does not matter. */
function sorted(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    ) ?? ''
  );
}

function entryChange(before: Definition, after: Definition, names: Names): Change[] {
  if (isSame(before.entry, after.entry)) return [];
  return [{ kind: 'changed', text: t.entryChanged, details: fromTo(...entryWords(before, after, names)) }];
}

const entryWords = (before: Definition, after: Definition, names: Names): [string, string] => [
  sayEntry(before.entry, names).text,
  sayEntry(after.entry, names).text,
];

function fromTo(before: string | undefined, after: string | undefined): string[] {
  return [before === after ? t.innerChange : t.from(before ?? t.notSet, after ?? t.notSet)];
}

function stepChanges(before: Definition, after: Definition, names: Names): Change[] {
  const olds = new Map(before.steps.map((step) => [step.id, step]));
  const ids = new Set(after.steps.map(({ id }) => id));
  const named = (step: Step) => nameOf(step, names);
  const gone = before.steps.filter(({ id }) => !ids.has(id));
  return [
    ...gone.map((step): Change => ({ kind: 'removed', text: named(step), details: [] })),
    ...after.steps.flatMap((step): Change[] => {
      const old = olds.get(step.id);
      if (!old) return [{ kind: 'added', text: named(step), details: [] }];
      if (isSame(old, step)) return [];
      const details = stepDetails(old, step, { before, after, names });
      return [{ kind: 'changed', text: named(step), details }];
    }),
  ];
}

function nameOf(step: Step, names: Names): string {
  const { title, detail } = sayStep(step, names);
  return `${detail ? `${title}, ${detail}` : title} (${step.id})`;
}

interface Both {
  before: Definition;
  after: Definition;
  names: Names;
}

function stepDetails(old: Step, step: Step, { before, after, names }: Both): string[] {
  const [was, is] = [sayStep(old, names), sayStep(step, names)];
  const said: string[] = [];
  if (was.title !== is.title) said.push(t.from(was.title, is.title));
  else if (was.detail !== is.detail) said.push(t.from(was.detail || t.notSet, is.detail || t.notSet));
  const targetIn = (definition: Definition, id: string | null) => {
    const target = definition.steps.find((each) => each.id === id);
    return target ? `“${sayStep(target, names).title} (${target.id})”` : t.theEnd;
  };
  const ways = new Map(waysOf(old).map((way) => [way.slot, way]));
  for (const { slot, to } of waysOf(step)) {
    const way = ways.get(slot);
    const name = sayWay(step, slot) ?? t.goesOn;
    ways.delete(slot);
    if (!way) said.push(t.wayAdded(name, targetIn(after, to)));
    else {
      const oldName = sayWay(old, slot) ?? t.goesOn;
      // If the step as a whole says it already, its ways need not.
      if (oldName !== name && was.detail === is.detail) said.push(t.from(`“${oldName}”`, `“${name}”`));
      if (way.to !== to) said.push(t.wayChanged(name, targetIn(before, way.to), targetIn(after, to)));
    }
  }
  for (const slot of ways.keys()) said.push(t.wayGone(sayWay(old, slot) ?? t.goesOn));
  return said.length > 0 ? said : [t.innerChange];
}

function ruleChange(name: RuleName, before: Definition, after: Definition): Change[] {
  if (isSame(before[name], after[name])) return [];
  const [was, is] = [sayRule(name, before), sayRule(name, after)];
  const kind = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
  return [{ kind, text: t.rules[name], details: fromTo(was, is) }];
}

/** A whole definition as lines that can be compared side by side. */
export function linesOf(definition: Definition, names: Names): string {
  const lines = [t.starts(sayEntry(definition.entry, names).text)];
  for (const step of definition.steps) {
    lines.push('', nameOf(step, names));
    for (const { slot, to } of waysOf(step)) lines.push(`  ${t.to(sayWay(step, slot) ?? t.goesOn, to ?? t.theEnd)}`);
  }
  const rules = ruleNames.flatMap((name) => {
    const said = sayRule(name, definition);
    return said === undefined ? [] : [`${t.rules[name]}: ${said}`];
  });
  return [...lines, ...(rules.length === 0 ? [] : ['', ...rules]), ''].join('\n');
}
