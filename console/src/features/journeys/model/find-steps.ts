// Finds steps by name, by what they do, and by what other tools call them. Pure.
import { type StepType, stepTypes } from '@rapport/contract';
import { t } from '../../../texts/journey-steps.ts';

/** Those whose name has the words come first, then those that are called so elsewhere. */
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
