import { placeholderHost } from '@rapport/contract';
import { expect, it } from 'vitest';
import { domains as t } from '../../../texts/settings-sending.ts';
import { type DnsRecord, inShort, newestFirst, recordsText, type SendingDomain } from './domain-words.ts';

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

it('has the domain that was just added first, as the list knows it, or before the list does', () => {
  const domain = (name: string, status = 'unverified') => ({ domain: name, status }) as SendingDomain;
  const rows = [domain('a.example'), domain('new.example', 'verified')];
  const names = (added?: SendingDomain) => newestFirst(rows, added).map((row) => `${row.domain} ${row.status}`);
  expect(names()).toEqual(['a.example unverified', 'new.example verified']);
  expect(names(domain('new.example'))).toEqual(['new.example verified', 'a.example unverified']);
  expect(names(domain('z.example'))).toEqual(['z.example unverified', 'a.example unverified', 'new.example verified']);
});

it('copies all records as lines of type, name and value', () => {
  expect(
    recordsText([record('found'), { ...record('missing'), type: 'CNAME', name: 'links.example.com', value: 'x' }]),
  ).toBe('Type\tName\tValue\nTXT\texample.com\tv=DKIM1\nCNAME\tlinks.example.com\tx');
});

it('copies no record that must not be published yet', () => {
  const open = { ...record('unknown'), value: `v=spf1 include:${placeholderHost} ~all` };
  expect(recordsText([open, record('found')])).toBe('Type\tName\tValue\nTXT\texample.com\tv=DKIM1');
});
