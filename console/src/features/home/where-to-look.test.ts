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

it('leads to the journey or the list of an alert, and to all alerts if there are several', () => {
  const id = '019a8b2c4d5e6f708192a3c1';
  expect(whereToLook({ kind: 'journeyStopped', link: `/v2/journeys/${id}` })).toBe(`/journeys/${id}`);
  expect(whereToLook({ kind: 'listHalved', link: `/v2/lists/${id}/growth` })).toBe(`/lists/static/${id}/growth`);
  const dynamic = { kind: 'listHalved', link: `/v2/dynamic-lists/${id}/growth` } as const;
  expect(whereToLook(dynamic)).toBe(`/lists/dynamic/${id}/growth`);
  for (const kind of ['journeyStopped', 'listHalved', 'complaints'] as const)
    expect(whereToLook({ kind, link: '/v2/alerts?state=open' })).toBe('/settings/alerts');
});

it('has every step of the setup that the API tells of', () => {
  expect(setupSteps.map(({ step }) => step)).toEqual(Object.keys(WorkspaceHealth.properties.setup.properties));
});
