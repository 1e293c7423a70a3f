import { describe, expect, it } from 'vitest';
import {
  api,
  email,
  faultsOf,
  type Json,
  list,
  many,
  ordered,
  plan,
  read,
} from '../../../../test/journeys/definitions.js';
import { hook, ofStep, split, wait } from '../../../../test/journeys/one-step.js';

describe('a step', () => {
  it.each<[string, Json, Json]>([
    ['sends', { type: 'sendEmail', emailId: email }, { emailId: email, transactional: false, next: 'z' }],
    ['sends transactional mail', { type: 'sendEmail', emailId: email, transactional: true }, { transactional: true }],
    [
      'waits for a time',
      { type: 'delay', for: 'PT1H', spread: 'PT5M', next: 'z' },
      {
        until: { kind: 'for', duration: { ms: 3_600_000, text: 'PT1H' } },
        spread: { ms: 300_000, text: 'PT5M' },
        next: 'z',
      },
    ],
    [
      'waits until a time of day',
      { type: 'delay', untilTime: '23:59', days: [5, 1] },
      { until: { kind: 'time', at: 1439, days: [1, 5] } },
    ],
    [
      'waits until a time in a property',
      { type: 'delay', untilProperty: 'due', offset: '-PT1H' },
      { until: { kind: 'property', property: 'due', offset: -3_600_000 } },
    ],
    [
      'updates',
      { type: 'updateProperty', property: 'plan', value: 'pro' },
      { property: 'plan', value: { value: 'pro' } },
    ],
    ['removes', { type: 'updateProperty', property: 'plan', value: null }, { value: { value: null } }],
    [
      'copies',
      { type: 'updateProperty', property: 'plan', value: { entry: ['cart', 'plan'] } },
      { value: { entry: ['cart', 'plan'] } },
    ],
    ['adds to a list', { type: 'addToList', staticListId: list }, { staticListId: list, next: 'z' }],
    ['removes from a list', { type: 'removeFromList', staticListId: list }, { staticListId: list }],
    [
      'sets a topic',
      { type: 'setTopic', topicId: list, state: 'unsubscribed' },
      { topicId: list, state: 'unsubscribed', next: 'z' },
    ],
    ['calls', hook, { method: 'POST', headers: {}, timeoutMs: 10_000, next: 'z' }],
    [
      'calls in its own way',
      { ...hook, method: 'PUT', headers: { 'X-Key': 'a b' }, body: '{}', timeout: 'PT30S', onError: null },
      { method: 'PUT', headers: { 'X-Key': 'a b' }, body: '{}', timeoutMs: 30_000, onError: null },
    ],
    [
      'emits',
      { type: 'emitEvent', eventName: 'told', properties: { a: { b: [1] } } },
      { eventName: 'told', properties: { a: { b: [1] } } },
    ],
    ['starts another', { type: 'startJourney', journeyId: list }, { journeyId: list, next: 'z' }],
    [
      'waits for an event or a filter',
      { ...wait, branches: [{ filter: plan, next: null }, ...wait.branches] },
      { timeout: { ms: 86_400_000, text: 'P1D' }, onTimeout: 'z' },
    ],
    [
      'splits',
      { ...split(0, 100), winner: { by: 'clicked', after: 'P1D', minimum: 1 } },
      { winner: { by: 'clicked', after: { ms: 86_400_000, text: 'P1D' }, minimum: 1 } },
    ],
    ['branches', { type: 'branch', cases: [{ filter: plan, next: null }], otherwise: 'z' }, { otherwise: 'z' }],
    [
      'goes where its own next says where nothing else does',
      { type: 'branch', cases: [{ filter: plan }], next: 'z' },
      { otherwise: 'z' },
    ],
  ])('%s', (_, step, expected) => {
    const { steps } = read({
      entry: ordered,
      steps: [
        { id: 'a', ...step },
        { id: 'z', type: 'exit' },
      ],
    });
    expect(steps[0]).toMatchObject({ id: 'a', place: 'definition.steps[0]', type: step.type, ...expected });
  });

  it('gives filters their place as path, by which the engine asks for them', () => {
    const { steps } = read({
      entry: api,
      steps: [{ id: 'a', type: 'branch', cases: [{ filter: plan, next: null }], otherwise: null }],
    });
    expect(steps[0]).toMatchObject({ cases: [{ filter: { path: 'definition.steps[0].cases[0].filter' } }] });
  });

  it('takes everything up to its limits', () => {
    const cases = many(20, () => ({ filter: plan, next: 'z' }));
    expect(ofStep({ type: 'branch', cases, otherwise: 'z' })).toEqual([]);
    expect(ofStep({ ...wait, branches: many(10, () => wait.branches[0]) })).toEqual([]);
    expect(ofStep({ ...split(...many(100, () => 1)) })).toEqual([]);
    expect(
      ofStep({
        ...hook,
        headers: Object.fromEntries(many(20, (i) => [`x-${i}`, 'v'.repeat(1024)])),
        body: 'x'.repeat(65_536),
      }),
    ).toEqual([]);
    expect(
      ofStep({ type: 'emitEvent', eventName: 'x'.repeat(255), properties: { a: 'x'.repeat(32_768 - 8) } }),
    ).toEqual([]);
    expect(ofStep({ type: 'delay', for: 'P3650D' })).toEqual([]);
    const steps = many(200, (i) => ({ id: `${i}`.padStart(64, 'x'), type: 'delay', for: 'PT1S' }));
    expect(faultsOf({ entry: api, steps })).toEqual([]);
  });
});
