import { describe, expect, it } from 'vitest';
import { readFilter } from './read.js';
import { say } from './say.js';
import type { Subject } from './subject.js';
import { Subjects } from './subjects.js';

const marketing: Subject = {
  key: 'marketing',
  read: (fields) => fields,
  say: () => 'opened an email at least once in the last 30 days',
  reads: () => [],
  compile: () => {
    throw new Error('not here');
  },
};
const read = (json: unknown) => readFilter(json, new Subjects([marketing]));
const listId = 'a'.repeat(24);
const [a, b, c] = ['a', 'b', 'c'].map((property) => ({ property, exists: true }));

describe('a condition in words', () => {
  it.each<[object, string]>([
    [{ property: 'plan', is: 'pro' }, 'The contact’s property “plan” is “pro”.'],
    [{ property: 'plan', isNot: '10' }, 'The contact’s property “plan” is not “10”.'],
    [{ property: 'plan', is: 10 }, 'The contact’s property “plan” is 10.'],
    [{ property: 'plan', in: ['a', 1, true] }, 'The contact’s property “plan” is “a”, 1 or true.'],
    [{ property: 'plan', notIn: ['a'] }, 'The contact’s property “plan” is not “a”.'],
    [{ property: 'plan', contains: 'a "b"\n' }, 'The contact’s property “plan” contains “a "b"\\n”.'],
    [{ property: 'plan', exists: false }, 'The contact’s property “plan” has no value.'],
    [{ property: 'n', between: [1, 2000] }, 'The contact’s property “n” is from 1 to 2000.'],
    [{ property: 'n', lte: -1.5 }, 'The contact’s property “n” is at most -1.5.'],
    [{ property: 'n', before: '2026-03-01' }, 'The contact’s property “n” is before 00:00 UTC on 1 March 2026.'],
    [{ property: 'n', withinLast: 'P1D' }, 'The contact’s property “n” is in the last day.'],
    [{ property: 'n', notWithinLast: 'P2W' }, 'The contact’s property “n” is not in the last 2 weeks.'],
    [{ property: 'n', withinNext: 'P1DT12H' }, 'The contact’s property “n” is in the next 1 day and 12 hours.'],
    [{ property: 'n', hasEverBeen: true }, 'The contact’s property “n” has ever been true.'],
    [{ contact: 'email', endsWith: '@X.com' }, 'The contact’s email address ends with “@x.com”.'],
    [{ property: 'title', matches: 'vp*sales' }, 'The contact’s property “title” matches “vp*sales”.'],
    [{ contact: 'createdAt', withinLast: 'P30D' }, 'The contact was created in the last 30 days.'],
    [{ contact: 'updatedAt', notWithinLast: 'PT1H' }, 'The contact was not updated in the last hour.'],
    [
      { contact: 'updatedAt', after: '2026-03-01T09:30:05Z' },
      'The contact was last updated after 09:30:05 UTC on 1 March 2026.',
    ],
    [{ userProperty: 'r', is: 'x' }, 'At least one product user of the contact has a property “r” that is “x”.'],
    [{ userProperty: 'r', isNot: 'x' }, 'No product user of the contact has a property “r” that is “x”.'],
    [{ orgProperty: 'r', exists: false }, 'No organization of the contact has a property “r”.'],
    [{ organization: 'name', notContains: 'x' }, 'No organization of the contact has a name that contains “x”.'],
    [
      { organization: 'orgId', startsWith: 'x' },
      'At least one organization of the contact has an id that starts with “x”.',
    ],
    [{ staticListId: listId }, `The contact is in the static list ${listId}.`],
    [
      { bucket: { seed: 's', of: 1000, from: 0, to: 99 } },
      'The contact is in a fixed 10% of all contacts (buckets 0 to 99 of 1,000, with the seed “s”).',
    ],
    [{ marketing: 'opened' }, 'The contact opened an email at least once in the last 30 days.'],
    [
      { orgMembers: { where: { all: [a, { event: 'E' }] }, atMost: 3 } },
      'At least one organization of the contact has at most 3 members for whom this is true: (the member’s property “a” has a value, and the member did “E” at least once).',
    ],
  ])('%j', (json, sentence) => {
    expect(say(read(json))).toBe(sentence);
  });

  it('shortens long lists and long text', () => {
    const values = Array.from({ length: 1000 }, (_, i) => `v${i}`);
    expect(say(read({ property: 'p', in: values }))).toBe(
      'The contact’s property “p” is one of 1,000 values, such as “v0”, “v1” and “v2”.',
    );
    expect(say(read({ property: 'p', is: '😀'.repeat(61) }))).toBe(
      `The contact’s property “p” is “${'😀'.repeat(60)}…”.`,
    );
  });

  it('calls lists by their names', () => {
    const names = { staticList: (id: string) => (id === listId ? 'V"I”P' : undefined), dynamicList: () => undefined };
    expect(say(read({ staticListId: listId }), names)).toBe('The contact is in the static list "V\\"I”P".');
    expect(say(read({ dynamicListId: listId }), names)).toBe(`The contact is in the dynamic list ${listId}.`);
  });
});

describe('events in words', () => {
  const where = {
    any: [
      { eventProperty: ['cart', 'total'], gt: 9 },
      { eventField: 'orgId', exists: false },
    ],
  };
  it.each<[object, string]>([
    [{}, 'The contact did “E” at least once.'],
    [{ exactly: 0, withinLast: 'P30D' }, 'The contact never did “E” in the last 30 days.'],
    [{ exactly: 1 }, 'The contact did “E” exactly once.'],
    [{ atMost: 1 }, 'The contact did “E” at most once.'],
    [{ atLeast: 2, atMost: 1000 }, 'The contact did “E” 2 to 1,000 times.'],
    [{ atLeast: 0 }, 'The contact did “E” any number of times.'],
    [{ atLeast: 3, from: '2026-01-01' }, 'The contact did “E” at least 3 times from 00:00 UTC on 1 January 2026 on.'],
    [{ to: '2026-01-01' }, 'The contact did “E” at least once until 00:00 UTC on 1 January 2026.'],
    [
      { where, withinLast: 'P1W' },
      'The contact did “E” (where either “total” in “cart” is more than 9, or the event’s organization id has no value) at least once in the last week.',
    ],
    [{ measure: 'distinct', of: 'sku', atLeast: 2 }, 'The contact did “E” with at least 2 different values of “sku”.'],
    [
      { measure: 'sum', of: 'total', gt: 5, where: { eventField: 'eventDate', after: '2026-01-01' } },
      'The sum of “total” of the contact’s “E” events (where the event happened after 00:00 UTC on 1 January 2026) is more than 5.',
    ],
    [{ measure: 'max', of: 'a', is: 5 }, 'The largest “a” of the contact’s “E” events is 5.'],
    [{ measure: 'first', notWithinLast: 'P1D' }, 'The contact’s first “E” event did not happen in the last day.'],
    [{ measure: 'latest', of: 'a', is: 'x' }, '“a” of the contact’s latest “E” event is “x”.'],
  ])('%j', (json, sentence) => {
    expect(say(read({ event: 'E', ...json }))).toBe(sentence);
  });

  it('says a sequence in its order', () => {
    const sequence = [{ event: 'A' }, { event: 'B', within: 'PT36H' }, { event: 'C', within: 'P1D', not: true }];
    expect(say(read({ sequence, withinLast: 'P30D' }))).toBe(
      'The contact did “A” in the last 30 days, then “B” within 36 hours, then did not do “C” within 1 day after that.',
    );
  });
});

describe('groups in words', () => {
  const [A, B, C] = ['a', 'b', 'c'].map((key) => `the contact’s property “${key}” has a value`);
  const The = (words: string) => `T${words.slice(1)}`;
  it.each<[object, string]>([
    [{ all: [] }, 'Every contact matches.'],
    [{ none: [] }, 'Every contact matches.'],
    [{ any: [] }, 'No contact matches.'],
    [{ all: [a] }, The(`${A}.`)],
    [{ all: [a, b] }, The(`${A}, and ${B}.`)],
    [{ any: [a, b, c] }, `Either ${A}, or ${B}, or ${C}.`],
    [{ none: [a] }, `It is not true that ${A}.`],
    [{ none: [a, b] }, `None of these is true: ${A}; ${B}.`],
    [{ all: [a, { any: [b, c] }] }, The(`${A}, and (either ${B}, or ${C}).`)],
    [{ any: [{ all: [a, b] }, c] }, `Either (${A}, and ${B}), or ${C}.`],
    [{ none: [{ all: [a, b] }] }, `It is not true that (${A}, and ${B}).`],
    [{ any: [{ all: [{ any: [a, b] }] }] }, `Either ${A}, or ${B}.`],
    [{ all: [a, { none: [b] }, { any: [] }] }, The(`${A}, and (it is not true that ${B}), and (nothing matches).`)],
  ])('%j', (json, sentence) => {
    expect(say(read(json))).toBe(sentence);
  });

  it('says each part by itself too', () => {
    const filter = read({ all: [a, { any: [b, c] }] });
    expect('of' in filter && Array.isArray(filter.of) && filter.of.map((part) => say(part))).toEqual([
      The(`${A}.`),
      `Either ${B}, or ${C}.`,
    ]);
  });
});
