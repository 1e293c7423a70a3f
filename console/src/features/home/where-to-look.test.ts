import { attentionKinds, WorkspaceHealth } from '@rapport/contract';
import { expect, it } from 'vitest';
import { setupSteps, whereToLook } from './where-to-look.ts';

it('leads to a page of the console for everything that may need attention', () => {
  for (const kind of attentionKinds) expect(whereToLook({ kind, link: null })).toMatch(/^\/[a-z]/);
});

it('leads to the email whose versions were rejected, where one is named', () => {
  const link = '/v2/emails/019a8b2c4d5e6f708192a3c1/activity?outcome=rejected';
  expect(whereToLook({ kind: 'versionsRejected', link })).toBe('/emails/019a8b2c4d5e6f708192a3c1/activity');
  expect(whereToLook({ kind: 'versionsRejected', link: '/v2/emails' })).toBe('/emails');
});

it('has every step of the setup that the API tells of', () => {
  expect(setupSteps.map(({ step }) => step)).toEqual(Object.keys(WorkspaceHealth.properties.setup.properties));
});
