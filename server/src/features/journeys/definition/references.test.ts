import { expect, it } from 'vitest';
import { type Json, read } from '../../../../test/journeys/definitions.js';
import { filtersOf, readsOfDefinition, referencesOf } from './references.js';

const id = (digit: string) => digit.repeat(24);
const inStatic = { staticListId: id('1') };
const inDynamic = { dynamicListId: id('2') };
const plan = { property: 'plan', is: 'pro' };
const steps: Json[] = [
  { id: 'mail', type: 'sendEmail', emailId: id('a') },
  { id: 'add', type: 'addToList', staticListId: id('3') },
  {
    id: 'case',
    type: 'branch',
    cases: [{ filter: { all: [inStatic, { event: 'seen' }] }, next: 'wait' }],
    otherwise: 'wait',
  },
  {
    id: 'wait',
    type: 'waitUntil',
    branches: [
      { event: { eventName: 'paid' }, next: 'start' },
      { filter: inDynamic, next: 'start' },
    ],
    timeout: 'P1D',
    onTimeout: 'start',
  },
  { id: 'start', type: 'startJourney', journeyId: id('c') },
];
const definition = read({
  entry: { joined: { dynamicListId: id('4') } },
  steps,
  exitWhen: plan,
  goal: { filter: { event: 'bought' } },
});

it('names what a definition refers to, each with its place', () => {
  expect(referencesOf(definition)).toEqual({
    email: [{ id: id('a'), place: 'definition.steps[0].emailId' }],
    journey: [],
    triggerJourney: [{ id: id('c'), place: 'definition.steps[4].journeyId' }],
    topic: [],
    form: [],
    staticList: [
      { id: id('3'), place: 'definition.steps[1].staticListId' },
      { id: id('1'), place: 'definition.steps[2].cases[0].filter.all[0].staticListId' },
    ],
    dynamicList: [
      { id: id('4'), place: 'definition.entry.joined.dynamicListId' },
      { id: id('2'), place: 'definition.steps[3].branches[1].filter.dynamicListId' },
    ],
  });
});

it('names the topic of an entry and of a step', () => {
  const set = { id: 'set', type: 'setTopic', topicId: id('5'), state: 'subscribed' };
  const entry = { topic: { topicId: id('6'), becomes: 'pending' } };
  expect(referencesOf(read({ entry, steps: [set] })).topic).toEqual([
    { id: id('6'), place: 'definition.entry.topic.topicId' },
    { id: id('5'), place: 'definition.steps[0].topicId' },
  ]);
});

it('names the list of an audience, and the one that is left', () => {
  const exit = [{ id: 'z', type: 'exit' }];
  expect(referencesOf(read({ entry: { audience: inStatic }, steps: exit }, 'batch')).staticList).toEqual([
    { id: id('1'), place: 'definition.entry.audience.staticListId' },
  ]);
  expect(referencesOf(read({ entry: { left: inDynamic }, steps: exit })).dynamicList).toEqual([
    { id: id('2'), place: 'definition.entry.left.dynamicListId' },
  ]);
});

it('listens to what ends waits, the goal and exitWhen, not to the cases of branches', () => {
  expect(readsOfDefinition(definition)).toEqual({
    waitsFor: new Set(['paid']),
    own: new Set(['event:bought', 'property:plan', `dynamic:${id('2')}`]),
    ofOrgMembers: new Set(),
    isTimed: true,
  });
});

it('finds every filter by its place', () => {
  expect(filtersOf(definition).map((filter) => filter.path)).toEqual([
    'definition.goal.filter',
    'definition.exitWhen',
    'definition.steps[3].branches[1].filter',
    'definition.steps[2].cases[0].filter',
  ]);
});
