// A stored definition may be any JSON object. Decides whether it can be drawn, and if not, why.
import { isObject } from '@rapport/contract';
import { type Definition, emptyDefinition, type Step, stepTypes } from './definition.ts';
import { explicit } from './ways.ts';

type Drawable = { readonly definition: Definition } | { readonly problem: string };

type Fields = Readonly<Record<string, unknown>>;

/** With every way written out. `null`: nothing was saved yet. */
export function readDefinition(json: unknown): Drawable {
  if (json === null || json === undefined) return { definition: emptyDefinition };
  if (!isObject(json)) return { problem: 'definition' };
  const { entry = {}, steps = [] } = json;
  if (!isObject(entry)) return { problem: 'entry' };
  if (!Array.isArray(steps)) return { problem: 'steps' };
  const seen = new Set<string>();
  for (const [at, step] of steps.entries()) {
    const problem = problemOf(step);
    if (problem !== undefined) return { problem: `steps[${at}]${problem && `.${problem}`}` };
    const { id } = step as Step;
    if (seen.has(id)) return { problem: `steps[${at}].id` };
    seen.add(id);
  }
  return { definition: explicit({ ...json, entry, steps } as Definition) };
}

function problemOf(step: unknown): string | undefined {
  if (!isObject(step)) return '';
  if (typeof step.id !== 'string' || step.id === '') return 'id';
  if (step.name !== undefined && typeof step.name !== 'string') return 'name';
  if (!stepTypes.some((type) => type === step.type)) return 'type';
  if (![step.next, step.otherwise, step.onTimeout, step.onError].every(isWay)) return 'next';
  const list = listOf(step);
  return list === undefined || isListOfObjects(step[list]) ? undefined : list;
}

function listOf({ type }: Fields): string | undefined {
  return { branch: 'cases', waitUntil: 'branches', split: 'arms' }[String(type)];
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => isObject(item) && isWay(item.next));
}

function isWay(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}
