// Finds steps by name, by what they do, and by their names in other tools. Pure.
import { type StepType, stepTypes } from '@rapport/contract';
import { t } from '../../../texts/journey-steps.ts';

/** Steps whose name matches come first, then those with a matching synonym. */
export function findSteps(search: string): StepType[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const named = stepTypes.filter((type) => has(t.steps[type].title));
  const called = stepTypes.filter((type) => words.every((word) => ` ${t.steps[type].alsoCalled}`.includes(` ${word}`)));
  const meant = stepTypes.filter((type) =>
    has(`${t.steps[type].title} ${t.steps[type].text} ${t.steps[type].alsoCalled} ${type}`),
  );
  return [...new Set([...named, ...called, ...meant])];
}
