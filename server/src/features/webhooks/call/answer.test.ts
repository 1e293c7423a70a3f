import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson } from '../../../lib/parse-json.js';
import { mostAnswerBytes, readJson } from './answer.js';

const json = (text: string) => readJson(Buffer.from(text));

it('reads JSON, packed or not', () => {
  expect(json('{"a":[1,null]}')).toEqual({ a: [1, null] });
  expect(readJson(gzipSync('{"a":1}'), 'gzip')).toEqual({ a: 1 });
  expect(readJson(brotliCompressSync('{"a":1}'), 'BR')).toEqual({ a: 1 });
});

it.each(['', 'ok', '{"a":', '<html>', '{"a":1}x'])('reads nothing of %j', (text) => expect(json(text)).toBeUndefined());

it('reads nothing that unpacks to more than the limit, has an unknown encoding, or is not encoded as it says', () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '));
  expect(bomb.length).toBeLessThan(mostAnswerBytes);
  expect(readJson(bomb, 'gzip')).toBeUndefined();
  expect(readJson(Buffer.from('{}'), 'zstd')).toBeUndefined();
  expect(readJson(Buffer.from('{}'), 'gzip')).toBeUndefined();
});

it('leaves out what PostgreSQL cannot store', () => {
  expect(json('{"a\\u0000b":"x\\ud800y\\u0000"}')).toEqual({ ab: 'x\ufffdy' });
  expect(json(`${'['.repeat(5000)}${']'.repeat(5000)}`)).toBeUndefined();
  expect(Object.keys(json('{"__proto__":{"x":1}}') as object)).toEqual(['__proto__']);
});

it('gives back any JSON as it was', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      fc.pre(!text.includes('\\u') && !text.includes('-0') && text.isWellFormed());
      expect(json(text)).toEqual(parseJson(text));
    }),
  );
});
