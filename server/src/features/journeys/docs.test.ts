// Every step, entry and other part of a definition that docs/journeys.md shows is one that the service takes.
import { readFileSync } from 'node:fs';
import { entryKinds, journeyLimits, stepRow, stepTypes } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { appSubjects } from '../../../test/filters/subjects.js';
import { readDefinition } from './definition/read.js';

type Json = Record<string, unknown>;

const text = readFileSync(new URL('../../../../docs/journeys.md', import.meta.url), 'utf8');
const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json.trim());
// Several in a block stand on a line each.
const steps: Json[] = blocks
  .filter((block) => /^\{ *\n? *"id"/.test(block))
  .flatMap((block) => (/\}\n\{/.test(block) ? block.split('\n') : [block]).map((json) => JSON.parse(json)));
const rows = text.split('\n').filter((line) => line.startsWith('| `'));
const entries = rows.flatMap((row) => (/^\| `(\{.*?\})` \|/.exec(row)?.[1] ?? []) as string | string[]);
const parts = rows.flatMap((row): [string, unknown][] => {
  const [, key = '', value] = /^\| `(goal|exitWhen|cap|window|holdout)` \| `(.*?)` \|/.exec(row) ?? [];
  return value === undefined ? [] : [[key, JSON.parse(value)]];
});

const event = { event: { eventName: 'signed_up' } };
const exit = { id: 'end', type: 'exit' };

/** Wherever the step leads is an exit. */
function around(step: Json): Json[] {
  const names = [...JSON.stringify(step).matchAll(/"(?:next|otherwise|onTimeout|onError)":"([^"]+)"/g)];
  const targets = new Set(names.map(([, id = '']) => id));
  const ends = [...targets].map((id) => ({ id, type: 'exit' }));
  return [step, ...(ends.length > 0 || step.type === 'exit' ? ends : [exit])];
}

/** The table of steps, as the grammar has it. */
const table = stepTypes.flatMap((type) =>
  stepRow(type).forms.map(({ does, needs, takes }) => {
    const fields = [...needs.map((field) => `**${field}**`), ...takes].join(', ');
    return `| \`${type}\` | ${does} | ${fields} |`;
  }),
);

describe('docs/journeys.md', () => {
  it('has the table of steps and the limits of the grammar', () => {
    expect(text).toContain(`| step | what it does | fields |\n|---|---|---|\n${table.join('\n')}\n\n`);
    const { branches, cases, arms, headers, chain } = journeyLimits;
    expect(text).toContain(`| steps | 1 to ${journeyLimits.steps} |`);
    expect(text).toContain(
      `| branches of a wait, cases of a branch, arms of a split | ${branches}, ${cases}, ${arms} |`,
    );
    expect(text).toContain(`| headers of a webhook | ${headers} |`);
    expect(text).toContain(`| journeys that start one another | ${chain} |`);
  });

  it('shows every type of step, every entry and every other part', () => {
    const types = new Set(steps.map(({ type }) => type));
    // removeFromList is like addToList.
    expect([...types].sort()).toEqual(stepTypes.filter((type) => type !== 'removeFromList').sort());
    const kinds = new Set(entries.flatMap((json) => Object.keys(JSON.parse(json))));
    expect(kinds).toEqual(new Set([...Object.keys(entryKinds), 'schedule']));
    expect(parts.map(([key]) => key).sort()).toEqual(['cap', 'exitWhen', 'goal', 'holdout', 'window']);
  });

  it.each(steps)('shows a step that is read: $type $id', (step) => {
    const read = readDefinition({ entry: event, steps: around(step) }, 'trigger', appSubjects);
    expect(read.steps[0]?.id).toBe(step.id);
  });

  it.each(entries)('shows an entry that is read: %s', (json) => {
    const entry = JSON.parse(json);
    expect(
      readDefinition({ entry, steps: [exit] }, 'audience' in entry ? 'batch' : 'trigger', appSubjects).steps,
    ).toHaveLength(1);
  });

  it.each(parts)('shows a %s that is read', (key, value) => {
    const read = readDefinition({ entry: event, steps: [exit], [key]: value }, 'trigger', appSubjects);
    expect(read).toHaveProperty(key);
  });
});
