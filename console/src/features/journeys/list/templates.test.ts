import { expect, it } from 'vitest';
import { t } from '../../../texts/journeys.ts';
import { readDefinition } from '../model/read.ts';
import { waysOf } from '../model/ways.ts';
import { templates } from './templates.ts';

it.each(templates)('$id can be drawn, has a name, and every way leads to a step or the end', ({ id, definition }) => {
  expect(t.templates[id].title).not.toBe('');
  const read = readDefinition(definition ?? null);
  if ('problem' in read) throw new Error(read.problem);
  const ids = new Set(read.definition.steps.map((step) => step.id));
  for (const step of read.definition.steps)
    for (const { to } of waysOf(step)) expect(to === null || ids.has(to), `${step.id} → ${to}`).toBe(true);
});

it('has batches for audiences only', () => {
  for (const { type, definition } of templates)
    if (definition) expect(definition.entry.audience !== undefined).toBe(type === 'batch');
});
