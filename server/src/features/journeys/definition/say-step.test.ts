import { expect, it } from 'vitest';
import { email, type Json, list, ordered, plan, read } from '../../../../test/journeys/definitions.js';
import { sayFilter, sayStep } from './say-step.js';

it.each<[Json, string]>([
  [{ type: 'sendEmail', emailId: email }, `Sends the email ${email}.`],
  [{ type: 'sendEmail', emailId: email, transactional: true }, `Sends the email ${email} as a transactional one.`],
  [{ type: 'delay', for: 'PT1H', spread: 'PT5M' }, 'Waits PT1H plus a random delay of up to PT5M.'],
  [{ type: 'delay', untilTime: '09:05' }, 'Waits until 09:05.'],
  [{ type: 'delay', untilTime: '09:05', days: [1, 7] }, 'Waits until 09:05 on Monday, Sunday.'],
  [{ type: 'delay', untilProperty: 'due', offset: '-P1DT2H' }, 'Waits until the time in “due” minus 1 day 2 hours.'],
  [
    { type: 'waitUntil', branches: [{ event: { eventName: 'paid' } }, { filter: plan }], timeout: 'P1D' },
    'Waits for the event “paid”, or for this to be true: The contact’s property “plan” is “pro”; P1D at most.',
  ],
  [{ type: 'branch', cases: [{ filter: plan }] }, 'Takes the first of 1 case that is true.'],
  [{ type: 'split', arms: [{ name: 'a', percent: 100 }] }, 'Splits: “a” 100%.'],
  [{ type: 'updateProperty', property: 'plan', value: 'pro' }, 'Sets “plan” to “pro”.'],
  [{ type: 'updateProperty', property: 'plan', value: null }, 'Removes “plan”.'],
  [
    { type: 'updateProperty', property: 'plan', value: { entry: ['cart', 'plan'] } },
    'Sets “plan” to “cart” → “plan” of the entry event.',
  ],
  [{ type: 'addToList', staticListId: list }, `Adds the contact to the static list ${list}.`],
  [{ type: 'removeFromList', staticListId: list }, `Removes the contact from the static list ${list}.`],
  [{ type: 'setTopic', topicId: list, state: 'subscribed' }, `Subscribes the contact to the topic ${list}.`],
  [{ type: 'setTopic', topicId: list, state: 'unsubscribed' }, `Unsubscribes the contact from the topic ${list}.`],
  [{ type: 'webhook', url: 'https://example.com/x?secret=1' }, 'Calls POST example.com.'],
  [{ type: 'emitEvent', eventName: 'told' }, 'Emits the event “told”.'],
  [{ type: 'startJourney', journeyId: list }, `Starts the journey ${list}.`],
  [{ type: 'leaveJourney', journeyId: list }, `Takes the contact out of the journey ${list}.`],
])('says what %j does', (step, words) => {
  const [first] = read({
    entry: ordered,
    steps: [
      { id: 'a', ...step },
      { id: 'z', type: 'exit' },
    ],
  }).steps;
  expect(first && sayStep(first)).toBe(words);
});

it('says why one leaves', () => {
  const said = (keys: Json) => read({ entry: ordered, steps: [{ id: 'a', type: 'exit', ...keys }] }).steps.map(sayStep);
  expect(said({})).toEqual(['Leaves the journey.']);
  expect(said({ reason: 'enough' })).toEqual(['Leaves the journey: “enough”.']);
});

it('cuts a filter that is long', () => {
  const { exitWhen } = read({
    entry: ordered,
    steps: [{ id: 'a', type: 'exit' }],
    exitWhen: { all: Array.from({ length: 50 }, () => plan) },
  });
  expect(exitWhen && sayFilter(exitWhen)).toHaveLength(201);
});
