import { expect, it } from 'vitest';
import type { Route } from './route.js';
import { routes } from './routes.js';

// General rule 2 of the contract: reads of journeys, emails, lists and statistics take both spellings; those of contacts, of activity and of the
// members of a list do not.
const taking = /^\/(journeys|emails?|lists|dynamic-lists|stats)[/-]|^\/(journeys|emails|lists|dynamic-lists)$/;
const notTaking = /^\/contacts|\/(members|movements|activity)$/;
const reads = (routes as readonly Route[]).filter(({ method, query = {} }) => {
  const isTwofold = Object.entries(query).some(([name, { repeatable }]) => /[A-Z]/.test(name) && !repeatable);
  return method === 'GET' && isTwofold;
});

it.each(reads.filter(({ path }) => taking.test(path) && !notTaking.test(path)))('$path takes snake_case', (route) => {
  expect(route.snakeCase).toBe(true);
});

it.each(reads.filter(({ path }) => notTaking.test(path)))('$path takes no snake_case', (route) => {
  expect(route.snakeCase ?? false).toBe(false);
});
