import { describe, expect, it } from 'vitest';
import { Lane } from './lane.js';

const fail = (lane: Lane<string>, times: number, now = 0) => {
  for (let i = 0; i < times; i++) lane.failed(now);
};
/** How many chains it starts at once. */
const atOnce = (lane: Lane<string>) => {
  lane.add(Array.from({ length: 100 }, () => ['x']));
  let begun = 0;
  while (lane.take()) begun++;
  for (let i = 0; i < begun; i++) lane.done();
  lane.empty();
  return begun;
};

describe('a receiver', () => {
  it('that answers fast gets more at once, up to a bound', () => {
    const lane = new Lane<string>(1, 'x');
    const first = atOnce(lane);
    for (let i = 0; i < 100; i++) lane.succeeded(10);
    expect(atOnce(lane)).toBeGreaterThan(first);
    expect(atOnce(lane)).toBe(32);
  });

  it('that is slow, or fails, gets fewer', () => {
    const slow = new Lane<string>(1, 'x');
    slow.succeeded(6000);
    expect(atOnce(slow)).toBe(4);
    const failing = new Lane<string>(1, 'x');
    fail(failing, 4);
    expect(atOnce(failing)).toBe(1);
  });

  it('that refuses one delivery is not left alone; one that refuses all is, longer each time, and then tried with one', () => {
    const lane = new Lane<string>(1, 'x');
    fail(lane, 4);
    expect(lane.restMs(0)).toBe(0);
    lane.succeeded(10);
    fail(lane, 5);
    expect(lane.restMs(0)).toBe(5000);
    expect(lane.room(4999)).toBe(0);
    expect(lane.room(5000)).toBe(1);
    lane.add([['x']]);
    expect(lane.room(5000)).toBe(0);
    lane.failed(5000);
    expect(lane.restMs(5000)).toBe(10_000);
    fail(lane, 20, 5000);
    expect(lane.restMs(5000)).toBe(300_000);
    lane.empty();
    lane.succeeded(10);
    expect(lane.room(400_000)).toBeGreaterThan(1);
  });

  it('rests for as long as it asks for', () => {
    const lane = new Lane<string>(1, 'x');
    lane.failed(0, 60_000);
    expect(lane.restMs(0)).toBe(60_000);
    expect(lane.isIdle(0)).toBe(false);
    expect(lane.isIdle(60_000)).toBe(true);
  });

  it('gives back what has not started', () => {
    const lane = new Lane<string>(1, 'x');
    lane.add([['a', 'b'], ['c']]);
    expect(lane.take()).toEqual(['a', 'b']);
    expect(lane.empty()).toEqual([['c']]);
    expect(lane.take()).toBeUndefined();
    expect(lane.isIdle(0)).toBe(false);
    lane.done();
    expect(lane.isIdle(0)).toBe(true);
  });
});
