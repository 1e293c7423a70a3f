import { describe, expect, it } from 'vitest';
import { readHead } from '../file/read-file.ts';
import { bodyOf } from './body.ts';
import { mappingFaults } from './mapping.ts';
import { type ForAll, forNobody, type Known, type MappedColumn, type Target } from './mapping-target.ts';
import { outgoingOf } from './outgoing.ts';
import { findMapping, keepMapping } from './remembered.ts';
import { reasonOfCell, topicWordOf } from './words.ts';

const [vip, beta] = ['a'.repeat(24), 'b'.repeat(24)];
const known: Known = {
  types: new Map(),
  topics: new Map([['news', 'News']]),
  lists: new Map([
    [vip, 'VIP'],
    [beta, 'Beta'],
  ]),
};
const column = (target: Target, name = 'x'): MappedColumn => ({ name, samples: [], target });
const email = column({ kind: 'email' }, 'E-Mail');
const status = (reading: 'words' | 'bounced' | 'unsubscribed', topicKey = '') =>
  column({ kind: 'status', reading, topicKey });
const all = (forAll: Partial<ForAll>): ForAll => ({ ...forNobody, ...forAll });

describe('what is sent for a row', () => {
  it('is the row itself where nothing has to be rewritten', () => {
    const { plan, isAsItIs, cellsOf } = outgoingOf([email, column({ kind: 'skip' })], forNobody, known, []);
    expect([plan, isAsItIs, cellsOf(['a@x.de'])]).toEqual(['email,', true, ['a@x.de', '']]);
  });

  it('has dates as the service takes them, and those that do not read as they came', () => {
    const date = column({ kind: 'property', key: 'since', type: 'date', format: 'dmy' });
    const { plan, isAsItIs, cellsOf } = outgoingOf([email, date], forNobody, known, []);
    expect([plan, isAsItIs]).toEqual(['email,since:date', false]);
    expect(cellsOf(['a@x.de', '03/04/2026'])).toEqual(['a@x.de', '2026-04-03']);
    expect(cellsOf(['a@x.de', '31/02/2026'])).toEqual(['a@x.de', '31/02/2026']);
    expect(cellsOf(['a@x.de', ' '])).toEqual(['a@x.de', '']);
  });

  it('joins lists by name, and the one that everyone joins', () => {
    const outgoing = outgoingOf([email, column({ kind: 'list' })], all({ listId: vip }), known, [beta]);
    expect(outgoing.plan).toBe(`email,,list:${vip},list:${beta}`);
    expect(outgoing.added).toEqual(['List: VIP', 'List: Beta']);
    expect(outgoing.cellsOf(['a@x.de', 'beta; Gone'])).toEqual(['a@x.de', 'beta; Gone', 'yes', 'yes']);
    expect(outgoing.cellsOf(['a@x.de', ''])).toEqual(['a@x.de', '', 'yes', '']);
  });

  it('has one reason to send no mail, the strongest, and words that are not known as they came', () => {
    const outgoing = outgoingOf([email, status('unsubscribed'), status('bounced')], forNobody, known, []);
    expect(outgoing.plan).toBe('email,,,suppress:reason');
    expect(outgoing.cellsOf(['a', '2025-01-01', ''])[3]).toBe('unsubscribed');
    expect(outgoing.cellsOf(['a', '2025-01-01', 'Mailbox gone'])[3]).toBe('bounced');
    expect(outgoing.cellsOf(['a', 'false', ''])[3]).toBe('');
    expect(outgoing.cellsOf(['a', 'complained', ''])[3]).toBe('complained');
    const words = outgoingOf([email, status('words')], forNobody, known, []);
    expect(words.cellsOf(['a', 'odd'])[2]).toBe('odd');
  });

  it('subscribes to a topic only with a word for it, and never an address that must get no mail', () => {
    const agreed = all({ topicKey: 'news', isAgreed: true });
    const everyone = outgoingOf([email, status('unsubscribed')], agreed, known, []);
    expect(everyone.plan).toBe('email,,suppress:reason,topic:news');
    expect(everyone.cellsOf(['a', ''])).toEqual(['a', '', '', 'yes']);
    expect(everyone.cellsOf(['a', 'true'])).toEqual(['a', 'true', 'unsubscribed', '']);
    expect(outgoingOf([email], all({ topicKey: 'news' }), known, []).plan).toBe('email');
    const own = outgoingOf([email, status('words', 'news'), status('bounced')], forNobody, known, []);
    expect(own.cellsOf(['a', 'SUBSCRIBED', ''])).toEqual(['a', 'SUBSCRIBED', '', '', 'yes']);
    expect(own.cellsOf(['a', 'SUBSCRIBED', 'gone'])).toEqual(['a', 'SUBSCRIBED', 'gone', 'bounced', '']);
    expect(own.cellsOf(['a', 'UNSUBSCRIBED', ''])).toEqual(['a', 'UNSUBSCRIBED', '', 'unsubscribed', 'no']);
    expect(own.cellsOf(['a', 'NEVER_SUBSCRIBED', ''])).toEqual(['a', 'NEVER_SUBSCRIBED', '', '', '']);
  });

  it('is written anew with what was added, and with as many cells as the header', async () => {
    const file = new Blob(['E-Mail,Since\na@x.de,03/04/2026,\n\nb@x.de\n']);
    const head = await readHead(file);
    const date = column({ kind: 'property', key: 'since', type: 'date', format: 'mdy' });
    const outgoing = outgoingOf([email, date], all({ listId: vip }), known, []);
    const body = await bodyOf(file, head, outgoing, () => undefined, new AbortController().signal);
    expect(await body.text()).toBe('E-Mail,Since,List: VIP\na@x.de,2026-03-04,yes\n\nb@x.de,"",yes\n');
  });

  it('is written anew where rows are uneven, though nothing else changes', async () => {
    const file = new Blob(['E-Mail,Note\na@x.de\n']);
    const head = await readHead(file);
    const outgoing = outgoingOf([email, column({ kind: 'skip' })], forNobody, known, []);
    const { signal } = new AbortController();
    expect(await bodyOf(file, head, outgoing, () => undefined, signal)).toBe(file);
    const body = await bodyOf(file, head, outgoing, () => undefined, signal, true);
    expect(await body.text()).toBe('E-Mail,Note\na@x.de,""\n');
  });
});

it('does not let two columns, or a column and everyone, speak about one topic', () => {
  const topic = column({ kind: 'topic', key: 'news' });
  expect(mappingFaults([email, topic], { topicKey: 'news', isAgreed: true }).of).toEqual([undefined, 'sameTopic']);
  expect(mappingFaults([email, topic, status('words', 'news')]).of).toEqual([undefined, 'sameTopic', 'sameTopic']);
  expect(mappingFaults([email, topic, status('words')]).of).toEqual([undefined, undefined, undefined]);
});

it.each([
  ['Subscribed', 'yes', ''],
  ['opted_in', 'yes', ''],
  ['UNSUBSCRIBED', 'no', 'unsubscribed'],
  ['NEVER_SUBSCRIBED', '', ''],
  ['', '', ''],
  ['cleaned', undefined, 'bounced'],
  ['[HARD_BOUNCE, UNSUBSCRIBE]', undefined, 'bounced'],
  ['odd', undefined, undefined],
])('“%s” is %s for a topic and %s for mail', (cell, word, reason) => {
  expect(topicWordOf(cell)).toBe(word);
  expect(reasonOfCell(cell, 'words')).toBe(reason);
});

describe('a mapping', () => {
  const shelf = () => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    };
  };
  const choices = [
    { name: 'E-Mail', target: { kind: 'email' } as const },
    { name: 'News', target: { kind: 'topic', key: 'news' } as const },
  ];

  it('is remembered by its header and workspace, the newest one', () => {
    const storage = shelf();
    keepMapping(storage, 1, choices);
    expect(findMapping(storage, 1, ['E-Mail', 'News'], known)).toEqual(choices);
    expect(findMapping(storage, 2, ['E-Mail', 'News'], known)).toBeUndefined();
    expect(findMapping(storage, 1, ['News', 'E-Mail'], known)).toBeUndefined();
    const next = [choices[0], { name: 'News', target: { kind: 'skip' } }] as typeof choices;
    keepMapping(storage, 1, next);
    expect(findMapping(storage, 1, ['E-Mail', 'News'], known)).toEqual(next);
  });

  it('is not used when its topic is gone, or what is kept cannot be read', () => {
    const storage = shelf();
    keepMapping(storage, 1, choices);
    expect(findMapping(storage, 1, ['E-Mail', 'News'], { ...known, topics: new Map() })).toBeUndefined();
    for (const text of ['{', '7', '[null]', '[[null]]', '[[{"name":"a"}]]']) {
      storage.setItem('rapport-import-mappings:1', text);
      expect(findMapping(storage, 1, ['a'], known)).toBeUndefined();
    }
  });

  it('is kept for the last twenty headers', () => {
    const storage = shelf();
    for (let at = 0; at < 25; at++) keepMapping(storage, 1, [{ name: `c${at}`, target: { kind: 'email' } }]);
    expect(findMapping(storage, 1, ['c24'], known)).toBeDefined();
    expect(findMapping(storage, 1, ['c4'], known)).toBeUndefined();
  });
});
