import { expect, it } from 'vitest';
import { readDefinition } from '../model/read.ts';
import { waysOf } from '../model/ways.ts';
import { beginnings } from './templates.ts';

it.each(beginnings)('$id can be drawn, has a name, and every way leads to a step or the end', (beginning) => {
  const { title, text, definition } = beginning;
  for (const words of [title, text]) expect(words).not.toBe('');
  const read = readDefinition(definition ?? null);
  if ('problem' in read) throw new Error(read.problem);
  const ids = new Set(read.definition.steps.map((step) => step.id));
  for (const step of read.definition.steps)
    for (const { to } of waysOf(step)) expect(to === null || ids.has(to), `${step.id} → ${to}`).toBe(true);
});

it('has batches for audiences only', () => {
  for (const { type, definition } of beginnings)
    if (definition) expect('audience' in (definition.entry as object)).toBe(type === 'batch');
});

it('says what a template needs', () => {
  const needs = (wanted: string) => beginnings.find(({ id }) => id === wanted)?.needs;
  expect(needs('onboarding')).toBe('Needs 3 emails and the events signed_up and activated.');
  expect(needs('trialEnding')).toBe('Needs 3 emails, the event upgraded and the property trial_ends_at.');
  expect(needs('digest')).toBe('Needs 1 email, a list and the event signed_in.');
  expect(needs('announcement')).toBe('Needs 1 email and a list.');
  expect(needs('empty')).toBeUndefined();
});
