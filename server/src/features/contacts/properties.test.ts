import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeProperties, type Properties } from './properties.js';

function merged(current: Properties, wanted: Record<string, unknown>) {
  const result = mergeProperties(current, wanted);
  if (!result.ok) throw new Error(result.error);
  return result;
}

const key = fc.stringMatching(/^[a-z_][a-z0-9_]{0,10}$/).filter((one) => one !== '__proto__');
const scalar = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
const stored = fc.dictionary(key, value, { maxKeys: 8, noNullPrototype: true });
const wanted = fc.dictionary(key, fc.oneof(value, fc.constant(null)), { maxKeys: 8, noNullPrototype: true });

describe('mergeProperties', () => {
  it('lets the later value win, keeps missing keys, and removes on null', () => {
    const { properties } = merged({ a: 1, b: 'x', c: true }, { a: 2, b: null, d: [1, 'y', null] });
    expect(properties).toEqual({ a: 2, c: true, d: [1, 'y', null] });
  });

  it.each([
    ['camelCase', { firstName: 'x' }],
    ['a leading digit', { '1st': 'x' }],
    ['an empty key', { '': 'x' }],
    ['65 characters', { ['k'.repeat(65)]: 'x' }],
    ['an object', { nested: { a: 1 } }],
    ['an array of objects', { list: [{ a: 1 }] }],
    ['an array of arrays', { list: [[1]] }],
    ['a number too large for JSON', { big: JSON.parse('1e999') }],
    ['__proto__', JSON.parse('{"__proto__": 1}')],
  ])('ignores %s and names it', (_, change) => {
    const result = merged({ kept: 1 }, change);
    expect(result.properties).toEqual({ kept: 1 });
    expect(result.ignored).toEqual(Object.keys(change));
    expect(result.changes).toEqual([]);
  });

  it('accepts keys of 64 characters, and keys that objects inherit', () => {
    const change = { ['k'.repeat(64)]: 1, constructor: 'c', to_string: 't', _: true };
    expect(merged({}, change)).toMatchObject({ properties: change, ignored: [] });
    expect(merged({ constructor: 'c' }, { constructor: 'c' }).changes).toEqual([]);
  });

  it('counts nothing that only the platform sets', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i]));
    const ours = mergeProperties(many, { unsubscribed: true }, 'contact', true);
    expect(ours).toMatchObject({ ok: true, properties: { unsubscribed: true } });
    const both = { ...many, unsubscribed: true };
    expect(mergeProperties(both, { k1: 'x' })).toMatchObject({ ok: true, properties: { k1: 'x', unsubscribed: true } });
    expect(mergeProperties(both, { k500: 'x' })).toMatchObject({ ok: false, error: expect.stringContaining('501') });
    const full = { text: 'x'.repeat(32 * 1024 - 11) };
    expect(JSON.stringify(full)).toHaveLength(32 * 1024);
    expect(mergeProperties(full, { unsubscribed: true }, 'contact', true)).toMatchObject({ ok: true });
    expect(mergeProperties(full, { a: 1 })).toMatchObject({ ok: false });
    expect(mergeProperties(both, {}, 'organization')).toMatchObject({ ok: true });
    expect(mergeProperties(both, { k1: 'x' }, 'organization')).toMatchObject({ ok: false });
  });

  it('allows 500 keys and refuses 501', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i]));
    expect(mergeProperties({}, many).ok).toBe(true);
    expect(mergeProperties({}, { ...many, one_more: 1 }).ok).toBe(false);
    expect(mergeProperties(many, { one_more: 1, k0: null }).ok).toBe(true);
  });

  it('counts 32 KiB in UTF-8 bytes of the compact JSON', () => {
    const overhead = '{"k":""}'.length;
    expect(mergeProperties({}, { k: 'x'.repeat(32768 - overhead) }).ok).toBe(true);
    expect(mergeProperties({}, { k: 'x'.repeat(32769 - overhead) }).ok).toBe(false);
    expect(mergeProperties({}, { k: 'é'.repeat((32768 - overhead) / 2) }).ok).toBe(true);
    expect(mergeProperties({}, { k: `${'é'.repeat((32768 - overhead) / 2)}x` }).ok).toBe(false);
  });

  it('changes nothing when applied twice', () => {
    fc.assert(
      fc.property(stored, wanted, (current, change) => {
        const once = merged(current, change);
        const twice = merged(once.properties, change);
        expect(twice.changes).toEqual([]);
        expect(twice.properties).toEqual(once.properties);
      }),
    );
  });

  it('lists exactly the keys that differ, and never changes its input', () => {
    fc.assert(
      fc.property(stored, wanted, (current, change) => {
        const before = structuredClone(current);
        const { properties, changes } = merged(current, change);
        expect(current).toEqual(before);
        const keys = new Set([...Object.keys(current), ...Object.keys(properties)]);
        const differing = [...keys].filter((one) => {
          const [a, b] = [Object.hasOwn(current, one), Object.hasOwn(properties, one)];
          return a !== b || JSON.stringify(current[one]) !== JSON.stringify(properties[one]);
        });
        expect(changes.map((one) => one.field).sort()).toEqual(differing.sort());
      }),
    );
  });
});
