import { expect, it } from 'vitest';
import { domains as t } from '../../../texts/settings-sending.ts';
import { type DnsRecord, inShort } from './domain-words.ts';

const record = (state: DnsRecord['state']): DnsRecord => ({
  purpose: 'dkim',
  type: 'TXT',
  name: 'example.com',
  value: 'v=DKIM1',
  state,
  detail: '',
});

it('says how many records need a look before anything else', () => {
  expect(inShort({ records: [record('found'), record('missing'), record('wrong')] })).toBe(t.problems(2));
  expect(t.problems(1)).toContain('1 record needs');
});

it('says that all is there only when all was found', () => {
  expect(inShort({ records: [record('found'), record('found')] })).toBe(t.allFound);
  expect(inShort({ records: [record('found'), record('unknown')] })).toBe(t.nothingChecked);
});
