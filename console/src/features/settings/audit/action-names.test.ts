import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { actionNames } from '../../../texts/settings-access.ts';

/** The console may not import the server, which has the list. */
const source = readFileSync(new URL('../../../../../server/src/features/audit/index.ts', import.meta.url), 'utf8');
const logged = source.slice(source.indexOf('auditActions = ['), source.indexOf('] as const;'));
const actions = [...logged.matchAll(/'([a-z.-]+)'/g)].map(([, action]) => action);

it('has words for every action that is logged, and for no other', () => {
  expect(actions).toContain('sign-in.succeeded');
  expect(Object.keys(actionNames).toSorted()).toEqual(actions.toSorted());
});
