// Fixes what V8 parses wrongly, and changes nothing else.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json.js';

/** Keys in order, with their own names: toEqual checks neither the order nor the keys of `__proto__`. */
function shape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(shape) : Object.entries(value).map(([key, each]) => [key, shape(each)]);
}

describe('parsed JSON', () => {
  it.each(['\n', '"', '\u00e9', '\u000b', 'a\n', 'a"b'])(
    'has the key %j after another text had a key with backslashes',
    (key) => {
      const escaped = [...key].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
      for (const spoiler of ['\\', 'a\\', '\\u', 'a\\u0', '\\u0', '\\n']) {
        const first = JSON.stringify(spoiler);
        JSON.parse(`{"h":[],${first}:0}`);
        JSON.parse(`{"h":1,${first}:0}`);
        for (const written of [escaped, JSON.stringify(key).slice(1, -1)])
          expect(Object.keys(parseJson(`{"h":1,"${written}":2}`) as object)).toEqual(['h', key]);
      }
    },
  );

  it('is what JSON says, with keys in order', () => {
    const unit = fc.constantFrom(...'\\"/\b\n\u0001\ue000aé:,{ 12', '\ud800', '😀', '__proto__');
    const text = fc.string({ unit, maxLength: 4 });
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.tuple(text, tie('value')), { maxLength: 5 }).map(asObject),
      ),
    })).value;
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        expect(shape(parseJson(JSON.stringify(value, null, space)))).toEqual(shape(value));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['{"\\u0061":1,"a":2}', '{"a":2}'],
    ['{"a":2,"b":0,"\\u0061":1}', '{"a":1,"b":0}'],
    ['{"b":0,"\\u0031":1}', '{"1":1,"b":0}'],
    ['"\\ue000"', '"\ue000"'],
    ['[{"x" :"\\""}]', '[{"x":"\\""}]'],
  ])('of %s is %s', (text, same) => {
    expect(JSON.stringify(parseJson(text))).toBe(same);
  });

  it.each(['{"\\x":1}', '{"\\":1}', '{"\\u00', '{"\n":"\\n"}', '\\', '{"a\\n":}', '"\\n":1'])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('may be nested deeper than the stack', () => {
    const deep = 100_000;
    expect(() => parseJson(`${'['.repeat(deep)}{"\\n":1}${']'.repeat(deep)}`)).not.toThrow();
  });
});

function asObject(entries: [string, unknown][]): unknown {
  const object = {};
  for (const [key, value] of entries)
    Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
  return object;
}
