// Bodies are measured before anything is built of them.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { invalidFields } from './api-error.js';
import { parseJson } from './json.js';

const read = (text: string) => parseJson(Buffer.from(text)).value;
const many = (count: number, item: (i: number) => string) => Array.from({ length: count }, (_, i) => item(i)).join();

describe('a body', () => {
  it('has room for 1,000 contacts with 500 properties, each of them an array', () => {
    const properties = many(500, (i) => `"p${i}":[1]`);
    const contact = `{"email":"person@example.com","properties":{${properties}}}`;
    const { contacts } = read(`{"contacts":[${many(1000, () => contact)}]}`) as { contacts: unknown[] };
    expect(contacts).toHaveLength(1000);
  });

  it.each([
    ['keys', `{${many(690_000, (i) => `"${i}":1`)}}`, 'The body has 690000 keys; at most 550000 are read.'],
    [
      'items',
      `{"contactIds":[${many(5_000_000, () => '1')}]}`,
      'The body has 5000002 values; at most 1100000 are read.',
    ],
    ['empty arrays', `[${many(1_200_000, () => '[]')}]`, 'values; at most 1100000 are read.'],
    ['empty objects', `[${many(1_200_000, () => '{}')}]`, 'values; at most 1100000 are read.'],
  ])('with too many %s is refused before it is parsed', (_what, text, reason) => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect(() => read(text)).toThrow(reason);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  it('may have any number of commas, colons and brackets inside of text', () => {
    const text = ',:[{"\\'.repeat(700_000);
    expect(read(JSON.stringify({ text }))).toEqual({ text });
  });

  it.each([
    '__proto__',
    '\\u005f_proto__',
    '__pr\\u006Fto__',
    '\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f',
  ])('with the key %s is refused, also far inside', (key) => {
    expect(() => read(`{"a":[{"b":1,"${key}" :{}}]}`)).toThrow('__proto__');
    expect(read(`{"a":["${key}"]}`)).toEqual({ a: ['__proto__'] });
  });

  it('is read as JSON.parse reads it, whatever it is', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        if (!text.includes('__proto__')) expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

it('an error names megabytes only by their beginning', () => {
  const [item] = invalidFields([{ field: `${'x'.repeat(3999)}😀${'x'.repeat(1_000_000)}`, reason: 'is wrong' }]).items;
  expect(item?.message).toHaveLength(4000);
  expect(item?.detail).toBe(item?.message);
});
