import { expect, it } from 'vitest';
import { filterWords } from '../../audiences/filter-words.ts';
import { type Definition, stepTypes } from './definition.ts';
import { newStep } from './new-step.ts';
import { type Names, sayEntry, sayStep, sayWay } from './say.ts';
import { sayFault } from './say-fault.ts';
import { stepNamesOf } from './step-names.ts';
import { waysOf } from './ways.ts';

const names: Names = {
  emails: new Map([['e1', 'Welcome']]),
  lists: new Map([['l1', 'Trial users']]),
  journeys: new Map(),
  topics: new Map([['t1', 'News']]),
  forms: new Map([['f1', 'Newsletter']]),
};

it('says what a step does, and what is still to be chosen', () => {
  expect(sayStep({ id: 'a', type: 'sendEmail', emailId: 'e1' }, names).detail).toBe('Welcome');
  expect(sayStep({ id: 'a', type: 'sendEmail', emailId: 'e2' }, names).detail).toBe('(deleted)');
  expect(sayStep({ id: 'a', type: 'sendEmail' }, names)).toMatchObject({
    detail: 'Choose an email',
    isUnfinished: true,
  });
  expect(sayStep({ id: 'a', type: 'delay', untilTime: '09:00', days: [1, 5], spread: 'PT2H' }, names).detail).toBe(
    'Until 09:00 on Mon, Fri + up to 2 hours',
  );
  expect(sayStep({ id: 'a', type: 'delay', untilProperty: 'renews_at', offset: '-P7D' }, names).detail).toBe(
    'Until the date in “renews_at”, 7 days before',
  );
  expect(sayStep({ id: 'a', type: 'updateProperty', property: 'x', value: { entry: ['o', 'id'] } }, names).detail).toBe(
    'x = “o.id” of the entry event',
  );
});

it('calls a step by its name, and says its kind after it', () => {
  const wait = { id: 'a', type: 'delay', for: 'P2D' } as const;
  expect(sayStep({ ...wait, name: ' Let it sink in ' }, names)).toMatchObject({
    title: 'Let it sink in',
    detail: 'Wait · For 2 days',
  });
  expect(sayStep({ ...wait, name: ' ' }, names)).toMatchObject({ title: 'Wait', detail: 'For 2 days' });
  expect(
    stepNamesOf(
      {
        entry: {},
        steps: [
          { ...wait, name: 'Pause' },
          { ...wait, id: 'b' },
        ],
      },
      names,
    ),
  ).toEqual(
    new Map([
      ['a', 'Pause'],
      ['b', 'Wait: For 2 days'],
    ]),
  );
});

it('says what a step makes of a topic, and what a topic starts', () => {
  const set = { id: 'a', type: 'setTopic' } as const;
  expect(sayStep({ ...set, topicId: 't1', state: 'unsubscribed' }, names).detail).toBe('Unsubscribe from News');
  expect(sayStep({ ...set, state: 'subscribed' }, names)).toMatchObject({
    detail: 'Choose a topic',
    isUnfinished: true,
  });
  expect(sayEntry({ topic: { topicId: 't1', becomes: 'pending' } }, names).text).toBe(
    'When someone is asked to confirm “News”',
  );
  expect(sayEntry({ form: { formId: 'f1' } }, names).text).toBe('When someone submits “Newsletter”');
  expect(filterWords({ topic: 't1', isNot: 'pending' })).toBe('not pending for a topic');
});

it('has words for every new step and every way out of it', () => {
  for (const type of stepTypes) {
    const step = newStep(type, new Set());
    expect(sayStep(step, names).title).not.toBe('');
    const ways = waysOf(step);
    for (const { slot } of ways) expect(sayWay(step, slot) !== undefined).toBe(ways.length > 1);
  }
});

it('says of a branch without a condition that it has none, not that it is for everyone', () => {
  const branch = newStep('branch', new Set());
  expect(sayWay(branch, 'case.0')).toBe('No condition');
  expect(sayWay(branch, 'otherwise')).toBe('Otherwise');
});

it('says what starts a journey', () => {
  const say = (entry: Parameters<typeof sayEntry>[0]) => sayEntry(entry, names).text;
  expect(say({})).toBe('Choose an entry');
  expect(say({ event: { eventName: 'signed_up' } })).toBe('When someone does “signed_up”');
  expect(say({ audience: { staticListId: 'l1' } })).toBe('Everyone in “Trial users”, once, on activation');
  expect(say({ propertyChanged: { property: 'plan', to: 'pro' } })).toBe('When “plan” changes to pro');
  expect(say({ date: { property: 'birthday', yearly: true, offset: '-P1D' } })).toBe(
    'On the date in “birthday”, 1 day before, every year',
  );
});

it('has the gist of a filter', () => {
  expect(filterWords({ property: 'plan', is: 'team' })).toBe('plan is team');
  expect(filterWords({ all: [{ property: 'plan', in: ['a', 'b'] }, { event: 'x' }, { event: 'y' }] })).toBe(
    'plan is one of a, b and did x +1',
  );
  expect(filterWords({ none: [{ event: 'ordered', withinLast: 'P30D' }] })).toBe('not (did ordered)');
  expect(filterWords({ event: 'ordered', exactly: 0 })).toBe('never did ordered');
  expect(filterWords({ event: 'ordered', atLeast: 3 })).toBe('ordered ≥ 3');
  expect(filterWords({ property: 'seen_at', withinLast: 'P7D' })).toBe('seen_at in the last 7 days');
  expect(filterWords({ all: [] })).toBe('everyone');
});

it('says a fault in words for people, never with the name of a field that is empty', () => {
  const definition: Definition = {
    entry: {},
    steps: [
      { id: 'a', type: 'sendEmail' },
      { id: 'b', type: 'sendEmail', emailId: 'gone' },
      { id: 'c', type: 'updateProperty', property: '' },
      { id: 'd', type: 'updateProperty', property: 'Not A Key' },
    ],
  };
  const say = (path: string, message: string) => sayFault({ path: `definition.${path}`, message }, definition);
  expect(say('steps[0].emailId', '"emailId" is wanted')).toBe('Choose an email');
  expect(say('steps[1].emailId', 'there is no such email')).toBe('There is no such email');
  expect(say('steps[2].property', 'no property can have this key')).toBe('Choose a property');
  expect(say('steps[3].property', 'no property can have this key')).toBe('No property can have this key');
  expect(say('entry', 'one of "event", "joined" is wanted')).toBe('Choose an entry');
  expect(say('entry.joined', 'one of "staticListId", "dynamicListId" is wanted')).toBe('Choose a list');
});
