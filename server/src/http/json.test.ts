// Bodies are measured before anything is built from them.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { invalidFields } from './api-error.js';
import { parseJson } from './json.js';

const read = async (text: string) => (await parseJson(Buffer.from(text))).value;
const many = (count: number, item: (i: number) => string) => Array.from({ length: count }, (_, i) => item(i)).join();

describe('a body', () => {
  it('has room for 1,000 contacts with 500 properties, each of them an array', async () => {
    const properties = many(500, (i) => `"p${i}":[1]`);
    const contact = `{"email":"person@example.com","properties":{${properties}}}`;
    const { contacts } = (await read(`{"contacts":[${many(1000, () => contact)}]}`)) as { contacts: unknown[] };
    expect(contacts).toHaveLength(1000);
  });

  it('has room for the largest filter: 200 conditions with 1,000 values each, all in one group', async () => {
    const condition = `{"property":"p","in":[${many(1000, (i) => `"value ${i}"`)}]}`;
    const text = `{"name":"x","filter":{"all":[{"any":[${many(200, () => condition)}]}]}}`;
    expect(JSON.stringify(await read(text)) === text).toBe(true);
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
  ])('with too many %s is refused before it is parsed', async (_what, text, reason) => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      await expect(read(text)).rejects.toThrow(reason);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  it('may have any number of commas, colons and brackets inside of text', async () => {
    const text = ',:[{"\\'.repeat(700_000);
    expect(await read(JSON.stringify({ text }))).toEqual({ text });
  });

  it.each([
    '__proto__',
    '\\u005f_proto__',
    '__pr\\u006Fto__',
    '\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f',
  ])('with the key %s is refused, also far inside', async (key) => {
    await expect(read(`{"a":[{"b":1,"${key}" :{}}]}`)).rejects.toThrow('__proto__');
    expect(await read(`{"a":["${key}"]}`)).toEqual({ a: ['__proto__'] });
  });

  it('is read as it was written, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary' }), async (value) => {
        const text = JSON.stringify(value);
        if (!text.includes('__proto__')) expect(JSON.stringify(await read(text))).toBe(text);
      }),
    );
  });
});

describe('a long body', () => {
  const values = many(6000, (i) => `${i}`);
  const items = many(15_000, (i) => `{"i":${i},"t":"[,]\\"{:"}`);

  it.each([
    ['an array', `{"a":[${items}]}`],
    ['an array deeper inside, and more around it', `\n{"x":[1],"b":{"a" : [ ${items} ] ,"y":"]"},"z":[]}`],
    ['two arrays of the same name, of which the last counts', `{"a":[${items}],"a":[${items},1]}`],
    [
      'arrays in arrays in arrays',
      `{"a":[0,[${many(2, (i) => `{"b${i}":[${values}],"c":[1],"d":[[${values}]]}`)}],1]}`,
    ],
    ['arrays beside and within each other', `{"a":[${values},["x",${values}],"y"],"b":{"c":{"d":[[],${values}]}}}`],
    ['an array of arrays', `{"a":[${many(20_000, (i) => `[${i},[]]`)}]}`],
  ])('with %s is read as JSON.parse reads it', async (_what, text) => {
    expect(await read(text)).toEqual(JSON.parse(text));
    expect(await read(`\ufeff${text}`)).toEqual(JSON.parse(text));
  });

  it.each([
    ['a comma at the end', `{"a":[${items},]}`],
    ['two commas', `{"a":[1,,${items}]}`],
    ['another bracket in place of its own', `{"a":[${items}}`],
    ['an inner array that does not end', `{"a":[[${items},1]}`],
    ['two commas far inside', `{"a":[[[1,,${items}]]]}`],
    ['another bracket at the end', `{"a":[${items}}}`],
    ['brackets in the wrong order', `{"a":[${items},{]},[}]}`],
    ['something behind it', `{"a":[${items}]}]`],
  ])('with %s is no JSON', async (_what, text) => {
    await expect(read(text)).rejects.toThrow('The body is not valid JSON.');
  });

  it.each([
    ['an object', `{"properties":{${many(50_000, (i) => `"k${i}":1`)}}}`],
    ['an item', `{"a":[1,{${many(50_000, (i) => `"k${i}":1`)}},2]}`],
    ['many small arrays', `{${many(20_000, (i) => `"k${i}":[1,2,3]`)}}`],
    ['an array at the top', `[${many(50_000, () => '1')}]`],
  ])('with very many values in %s is refused', async (_what, text) => {
    await expect(read(text)).rejects.toThrow('too many keys and values in one place; at most 40000 are read');
  });

  it.each([
    ['an item', `{"a":[1,{"b":[${many(300_000, () => '1')}]}]}`],
    ['an array far inside', `{"a":{"b":{"c":{"d":[${many(300_000, () => '{}')}]}}}}`],
    ['several arrays far inside', `{"a":{"b":{"c":{${many(20, (i) => `"${i}":[${many(15_000, () => '1')}]`)}}}}}`],
  ])('with more values in %s than any request has is refused', async (_what, text) => {
    await expect(read(text)).rejects.toThrow('too many keys and values in one item; at most 240000 are read');
  });

  it('with an array that no request has is refused', async () => {
    const text = `{"contactIds":[${many(500_000, (i) => `"${i}"`)}]}`;
    await expect(read(text)).rejects.toThrow('The body has an array of 500000 items; at most 20000 are read.');
  });

  it('does not block the event loop while it is read', async () => {
    const contact = (i: number) => `{"email":"a","properties":{${many(500, (p) => `"k${i}_${p}":1`)}}}`;
    const reading = read(`{"contacts":[${many(1000, contact)}]}`);
    let turns = 0;
    let isRead = false;
    void reading.then(() => {
      isRead = true;
    });
    while (!isRead) {
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    }
    expect(turns).toBeGreaterThan(3);
  });
});

it('an error names megabytes only by their beginning', () => {
  const [item] = invalidFields([{ field: `${'x'.repeat(3999)}😀${'x'.repeat(1_000_000)}`, reason: 'is wrong' }]).items;
  expect(item?.message).toHaveLength(4000);
  expect(item?.detail).toBe(item?.message);
});
