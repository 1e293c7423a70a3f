// What a new journey can begin with is what the service takes, and says what it needs.
import { journeyTemplates } from '@rapport/contract';
import { expect, it } from 'vitest';
import { appSubjects } from '../../../test/filters/subjects.js';
import { readDefinition } from './definition/read.js';

const id = '019a8b2c4d5e6f708192a3c1';

/** With an email in every step that sends one, and a list where one is to be chosen. */
function chosen({ entry, steps, ...rules }: (typeof journeyTemplates)[number]['definition']) {
  const list = { staticListId: id };
  const of = (value: unknown) => (JSON.stringify(value) === '{}' ? list : value);
  return {
    ...rules,
    entry: Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, of(value)])),
    steps: steps.map((step) => (step.type === 'sendEmail' ? { ...step, emailId: id } : step)),
  };
}

/** Every value of these keys, wherever it is. */
function found(definition: unknown, ...keys: string[]): string[] {
  const values: string[] = [];
  JSON.stringify(definition, (key, value) => {
    if (keys.includes(key) && typeof value === 'string') values.push(value);
    return value;
  });
  return [...new Set(values)].sort();
}

it.each(journeyTemplates)('$id is a definition that can be activated once emails and lists are chosen', (template) => {
  const { type, definition, needs } = template;
  const read = readDefinition(chosen(definition), type, appSubjects);
  expect(read.steps.filter((step) => step.type === 'sendEmail')).toHaveLength(needs.emails);
});

it.each(journeyTemplates)('$id says which events, properties and lists it needs', ({ definition, needs }) => {
  expect([...needs.events].sort()).toEqual(found(definition, 'eventName', 'event'));
  expect([...needs.properties].sort()).toEqual(found(definition, 'property'));
  expect(needs.lists).toBe(Object.values(definition.entry).filter((part) => JSON.stringify(part) === '{}').length);
});

it('offers what lifecycle teams begin with', () => {
  const ids = journeyTemplates.map((template) => template.id);
  expect(ids).toEqual(expect.arrayContaining(['onboarding', 'trialEnding', 'winBack', 'expansion', 'digest']));
  expect(new Set(ids).size).toBe(ids.length);
});
