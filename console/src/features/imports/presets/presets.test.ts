import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Checker } from '../check/checker.ts';
import { eachPortion } from '../file/in-turns.ts';
import { readHead } from '../file/read-file.ts';
import { beginMapping, bestBeginning } from '../mapping/begin-mapping.ts';
import { bodyOf } from '../mapping/body.ts';
import { mappingFaults } from '../mapping/mapping.ts';
import { forNobody, type Known } from '../mapping/mapping-target.ts';
import { outgoingOf } from '../mapping/outgoing.ts';
import { type PresetId, presetIds, recognize } from './presets.ts';

const known: Known = { types: new Map(), topics: new Map([['news', 'News']]), lists: new Map() };
const { signal } = new AbortController();

async function mapped(id: PresetId) {
  const file = new Blob([await readFile(new URL(`../../../../../docs/imports/${id}.csv`, import.meta.url))]);
  const head = await readHead(file);
  const columns = beginMapping(bestBeginning(head, undefined), head, known, undefined);
  const checker = new Checker(columns, known);
  await eachPortion(
    file,
    head,
    (rows) => checker.take(rows),
    () => undefined,
    signal,
  );
  const outgoing = outgoingOf(columns, forNobody, known, []);
  const [, ...lines] = (await (await bodyOf(file, head, outgoing, () => undefined, signal)).text())
    .trimEnd()
    .split('\n');
  return { head, columns, checked: checker.told(), outgoing, lines };
}

describe.each(presetIds)('the sample of %s', (id) => {
  it('is recognized, and maps without a fault or a finding', async () => {
    const { head, columns, checked } = await mapped(id);
    expect(recognize(head.header)).toBe(id);
    expect(mappingFaults(columns)).toEqual({ all: undefined, of: columns.map(() => undefined) });
    expect([checked.findings, checked.refused]).toEqual([[], 0]);
    expect(checked.suppressed).toBeGreaterThan(0);
  });
});

it.each<[PresetId, string, string[]]>([
  ['mailchimp', 'suppress:reason', ['""', 'unsubscribed', 'bounced']],
  ['hubspot', 'suppress:reason', ['""', 'unsubscribed', 'bounced']],
  ['customerio', 'suppress:reason', ['""', 'unsubscribed', '""']],
  ['braze', 'suppress:reason', ['""', 'unsubscribed', '""']],
  ['klaviyo', 'suppress:reason,topic:news', ['"",yes', 'unsubscribed,no', '"",""', 'bounced,""']],
])('%s says who must get no mail, and who agreed', async (id, plan, ends) => {
  const { outgoing, lines } = await mapped(id);
  expect(outgoing.plan.endsWith(plan)).toBe(true);
  expect(lines.map((line, at) => line.endsWith(`,${ends[at]}`))).toEqual(ends.map(() => true));
});

it('reads times that are numbers as times', async () => {
  const { columns, lines } = await mapped('customerio');
  expect(columns[3]?.target).toMatchObject({ key: 'created_in_customerio_at', type: 'date', format: 'seconds' });
  expect(lines[0]).toContain('2025-01-01T00:00:00Z');
});

it('gives each key to one column, and never two to one', async () => {
  for (const id of presetIds) {
    const { columns } = await mapped(id);
    const keys = columns.flatMap(({ target }) => (target.kind === 'property' ? [target.key] : []));
    expect(new Set(keys).size).toBe(keys.length);
  }
});

it('guesses the columns of an unknown file', () => {
  expect(recognize(['email', 'plan'])).toBeUndefined();
  expect(recognize(['Email', 'First Name', 'unsubscribed'])).toBeUndefined();
  expect(recognize(['constructor', 'email'])).toBeUndefined();
});
