import { describe, expect, it } from 'vitest';
import { api, faultsOf, type Json, list, many, plan, read } from '../../../../test/journeys/definitions.js';

const ofKeys = (keys: Json) => faultsOf({ entry: api, steps: [{ id: 'z', type: 'exit' }], ...keys });

describe('the way from step to step', () => {
  const delay = (id: string, keys: Json = {}) => ({ id, type: 'delay', for: 'PT1H', ...keys });
  const add = (id: string, keys: Json = {}) => ({ id, type: 'addToList', staticListId: list, ...keys });
  const faults = (...steps: Json[]) => faultsOf({ entry: api, steps });

  it('names a step that cannot be reached, even one that looks like a second first step', () => {
    expect(faults(add('a', { next: null }), add('b'))).toEqual(['definition.steps[1]: no way leads to the step "b"']);
    expect(faults(add('a', { next: 'c' }), add('b'), { id: 'c', type: 'exit' })).toEqual([
      'definition.steps[1]: no way leads to the step "b"',
    ]);
  });

  it('refuses a circle without a wait, once each', () => {
    expect(faults(add('a', { next: 'a' }))).toEqual([
      'definition.steps[0]: a circle without "delay" or "waitUntil" in it: "a"',
    ]);
    expect(faults(add('a'), add('b'), add('c', { next: 'b' }))).toEqual([
      'definition.steps[1]: a circle without "delay" or "waitUntil" in it: "b", "c"',
    ]);
  });

  it('takes a circle with a delay or a wait in it', () => {
    expect(faults(add('a'), delay('b', { next: 'a' }))).toEqual([]);
    const wait = {
      id: 'b',
      type: 'waitUntil',
      branches: [{ filter: plan, next: 'a' }],
      timeout: 'P1D',
      onTimeout: 'b',
    };
    expect(faults(add('a'), wait)).toEqual([]);
  });

  it('sees the circle beside a wait', () => {
    const branch = { id: 'b', type: 'branch', cases: [{ filter: plan, next: 'a' }], otherwise: 'c' };
    expect(faults(add('a'), branch, delay('c', { next: 'a' }))).toEqual([
      'definition.steps[0]: a circle without "delay" or "waitUntil" in it: "a", "b"',
    ]);
    const hook = { id: 'a', type: 'webhook', url: 'https://example.com', onError: 'a' };
    expect(faults(hook)).toHaveLength(1);
  });

  it('refuses an id that is there twice', () => {
    expect(faults(delay('a'), delay('a'))).toEqual(['definition.steps[1].id: definition.steps[0] has this id already']);
  });
});

describe('the rest of a definition', () => {
  it('has defaults', () => {
    expect(read({ entry: api, steps: [{ id: 'z', type: 'exit' }] })).toMatchObject({ reentry: 'never', holdout: 0 });
  });

  it('is read', () => {
    const window = { days: [1, 2], from: '22:00', to: '06:00', timeZone: 'contact' };
    const rest = {
      exitWhen: plan,
      goal: { filter: plan, exit: true },
      reentry: { after: 'P1D' },
      cap: { messages: 1, per: 'P7D' },
      window,
      holdout: 50,
    };
    expect(read({ entry: api, steps: [{ id: 'z', type: 'exit' }], ...rest })).toMatchObject({
      exitWhen: { path: 'definition.exitWhen' },
      goal: { filter: { path: 'definition.goal.filter' }, exit: true },
      reentry: { after: { ms: 86_400_000 } },
      cap: { messages: 1, per: { text: 'P7D' } },
      window: { days: [1, 2], from: 1320, to: 360, timeZone: undefined },
      holdout: 50,
    });
  });

  const window = { from: '09:00', to: '18:00', timeZone: 'UTC' };
  it.each<[string, Json, string]>([
    ['holds 51 percent out', { holdout: 51 }, 'definition.holdout: a whole number from 0 to 50 is wanted'],
    ['holds half a percent out', { holdout: 0.5 }, 'definition.holdout: a whole number'],
    [
      'does not say who may enter again',
      { reentry: 'sometimes' },
      'definition.reentry: "never", "afterExit" or "always"',
    ],
    ['has a reentry of null', { reentry: null }, 'definition.reentry: "never"'],
    ['has no time to reenter', { reentry: {} }, 'definition.reentry: "never"'],
    ['caps at nothing', { cap: { messages: 0, per: 'P1D' } }, 'definition.cap.messages: a whole number from 1'],
    ['caps for ever', { cap: { messages: 1 } }, 'definition.cap.per: "per" is wanted'],
    [
      'has a window of no length',
      { window: { ...window, to: '09:00' } },
      'definition.window.to: a window ends at another time',
    ],
    [
      'has a window without a zone',
      { window: { from: '09:00', to: '18:00' } },
      'definition.window.timeZone: "timeZone" is wanted',
    ],
    [
      'has a window on Mars',
      { window: { ...window, timeZone: 'Mars' } },
      'definition.window.timeZone: there is no such time zone',
    ],
    ['has a window of 9 o’clock', { window: { ...window, from: '9:00' } }, 'definition.window.from: a time of day'],
    ['has a goal without a filter', { goal: {} }, 'definition.goal.filter: "filter" is wanted'],
    ['leaves on nothing', { exitWhen: {} }, 'definition.exitWhen: a group ("all"'],
    ['has no steps', { steps: [] }, 'definition.steps: a list of 1 to 200 steps is wanted'],
    [
      'has 201 steps',
      { steps: many(201, (i) => ({ id: `s${i}`, type: 'delay', for: 'PT1S' })) },
      'definition.steps: a list of 1 to 200',
    ],
    ['has an unknown key', { audience: 1 }, 'definition.audience: not known here'],
    ['has a key from below', JSON.parse('{"__proto__": 1}'), 'definition.__proto__: not known here'],
  ])('is refused where it %s', (_, keys, fault) => {
    expect(ofKeys(keys)[0]?.slice(0, fault.length)).toBe(fault);
  });

  it('names all faults at once, and a thousand at most', () => {
    const broken = {
      entry: {},
      steps: [
        { id: 'a', type: 'sendEmail' },
        { id: 'b', type: 'waitUntil', branches: [] },
        { id: 'a', type: 'x' },
      ],
      holdout: 99,
      odd: 1,
    };
    expect(faultsOf(broken).map((fault) => fault.slice(0, fault.indexOf(': ')))).toEqual([
      'definition.entry',
      'definition.steps[2].id',
      'definition.steps[0].emailId',
      'definition.steps[1].branches',
      'definition.steps[1].timeout',
      'definition.steps[2].type',
      'definition.holdout',
      'definition.odd',
    ]);
    expect(ofKeys({ steps: many(100, () => ({})) })).toHaveLength(200);
    expect(ofKeys(Object.fromEntries(many(2000, (i) => [`odd${i}`, 1])))).toHaveLength(1000);
    // Percentages that cannot be read have no sum.
    const arms = [99.5, 0.5].map((percent, i) => ({ name: `${i}`, percent, next: null }));
    expect(ofKeys({ steps: [{ id: 'a', type: 'split', arms }] })).toHaveLength(2);
  });
});

describe('any definition, a draft’s too', () => {
  const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  it.each<[string, unknown, string]>([
    ['null', null, 'an object is wanted'],
    ['a list', [], 'an object is wanted'],
    ['more than 256 KiB', { a: 'x'.repeat(262_144) }, 'a definition has at most 256 KiB'],
    ['nested too deep', nested(101), 'a definition is nested at most 100 deep'],
    ['nested far too deep', nested(5000), 'a definition is nested at most 100 deep'],
    ['with NUL', { a: ['\0'] }, 'a text must be valid Unicode without NUL'],
    ['with half a character for a key', { '\ud800': 1 }, 'a key must be valid Unicode without NUL'],
    ['with more than there are numbers', JSON.parse('{"a": 1e999}'), 'a number is too large'],
  ])('is refused where it is %s', (_, json, words) => {
    expect(faultsOf(json)).toEqual([`definition: ${words}`]);
  });
});
