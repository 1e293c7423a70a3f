import { describe, expect, it } from 'vitest';
import { addAll, type Progress, readIds } from './bulk-add.ts';

const id = (at: number) => at.toString(16).padStart(32, '0');
const ids = (count: number) => Array.from({ length: count }, (_, at) => id(at));

function streamOf(text: string, partSize: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let from = 0; from < bytes.length; from += partSize) controller.enqueue(bytes.slice(from, from + partSize));
      controller.close();
    },
  });
}

describe('reading ids', () => {
  it.each([1, 7, 33, 10_000])('takes every id and not the heading, in parts of %i bytes', async (partSize) => {
    const seen: Progress[] = [];
    const file = `id\r\n${ids(5).join('\r\n')}\r\n`;
    expect(await readIds(streamOf(file, partSize), (progress) => seen.push(progress))).toEqual(ids(5));
    expect(seen.at(-1)).toEqual({ step: 'reading', done: 5 });
  });

  it('takes a last line without a line break too, and finds no id in an empty file', async () => {
    expect(await readIds(streamOf(`id\n${id(1)}`, 8), () => undefined)).toEqual([id(1)]);
    expect(await readIds(streamOf('id\n', 8), () => undefined)).toEqual([]);
  });
});

describe('adding ids', () => {
  it('adds a thousand at a time, in order, and sums up', async () => {
    const calls: string[][] = [];
    const seen: number[] = [];
    const add = async (part: readonly string[]) => {
      calls.push([...part]);
      return { added: part.length - 1, alreadyMembers: 1 };
    };
    const { signal } = new AbortController();
    expect(await addAll(ids(2300), add, ({ done }) => seen.push(done), signal)).toEqual({
      added: 2297,
      alreadyMembers: 3,
    });
    expect(calls.map(({ length }) => length)).toEqual([1000, 1000, 300]);
    expect(calls.flat()).toEqual(ids(2300));
    expect(seen).toEqual([0, 1000, 2000]);
  });

  it('stops between two parts and tells what was added', async () => {
    const stop = new AbortController();
    const add = async (part: readonly string[]) => {
      stop.abort();
      return { added: part.length, alreadyMembers: 0 };
    };
    expect(await addAll(ids(5000), add, () => undefined, stop.signal)).toEqual({ added: 1000, alreadyMembers: 0 });
  });
});
