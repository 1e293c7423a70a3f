import { expect, it } from 'vitest';
import { stepTypes } from './definition.ts';
import { findSteps } from './find-steps.ts';

it.each([
  ['A/B', 'split'],
  ['ab test', 'split'],
  ['experiment', 'split'],
  ['delay', 'delay'],
  ['wait', 'delay'],
  ['pause', 'delay'],
  ['if/else', 'branch'],
  ['condition', 'branch'],
  ['webhook', 'webhook'],
  ['HTTP', 'webhook'],
  ['mail', 'sendEmail'],
  ['attribute', 'updateProperty'],
  ['tag', 'addToList'],
  ['stop', 'exit'],
  ['track', 'emitEvent'],
])('finds for %j the step that is meant first', (search, type) => {
  expect(findSteps(search)[0]).toBe(type);
});

it('puts a name before a mention, and everything for nothing', () => {
  expect(findSteps('wait').slice(0, 2)).toEqual(['delay', 'waitUntil']);
  expect(findSteps('  ')).toEqual([...stepTypes]);
  expect(findSteps('no such thing')).toEqual([]);
});
