import { expect, it } from 'vitest';
import { fitOf, ranked } from './rank.ts';

it.each([
  ['Welcome', 'welcome', 'exact'],
  ['Welcome back', 'wel', 'prefix'],
  ['Please be welcome', 'wel', 'word'],
  ['ada@welcome.example', 'welcome', 'word'],
  ['Unwelcome', 'welcome', 'inside'],
  ['Invite someone', 'someone inv', 'elsewhere'],
  ['Crème brûlée', 'creme', 'prefix'],
  ['Goodbye', 'welcome', undefined],
] as const)('%j fits %j: %s', (title, typed, fit) => {
  expect(fitOf({ title }, typed)).toBe(fit);
});

it('finds a thing by its description and by other words for it, after all that have the word in their name', () => {
  expect(fitOf({ title: 'ada@example.com', text: 'Ada Lovelace' }, 'love')).toBe('elsewhere');
  expect(fitOf({ title: 'New list', words: 'audience segment' }, 'seg')).toBe('elsewhere');
});

const items = [
  { id: 'page', title: 'Journeys' },
  { id: 'action', title: 'New journey' },
  { id: 'contact', title: 'journey@example.com' },
  { id: 'list', title: 'Journey' },
  { id: 'email', title: 'Subjourneys' },
  { id: 'found', title: 'Something else' },
];
const order = (typed: string, recent: string[] = []) => ranked(items, typed, recent).map(({ id }) => id);

it('puts the best fit first, whatever it is, and keeps what only the service knows why it found', () => {
  expect(order('journey')).toEqual(['list', 'page', 'contact', 'action', 'email', 'found']);
});

it('puts what was used last first among those that fit alike, and nowhere else', () => {
  expect(order('journey', ['email', 'contact', 'page'])).toEqual([
    'list',
    'contact',
    'page',
    'action',
    'email',
    'found',
  ]);
});

it('keeps the order that it was given while nothing is typed, after what was used last', () => {
  expect(order('')).toEqual(items.map(({ id }) => id));
  expect(order('', ['email', 'list'])).toEqual(['email', 'list', 'page', 'action', 'contact', 'found']);
});

it('takes what people type as it is', () => {
  expect(order('(.*')).toEqual(items.map(({ id }) => id));
  expect(fitOf({ title: 'A (.*) B' }, '(.*')).toBe('word');
});
