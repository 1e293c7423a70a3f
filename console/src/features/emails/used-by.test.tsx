// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { page, scriptService, stage } from '../../../test/stage.tsx';
import { t } from '../../texts/emails.ts';
import { UsedBy } from './used-by.tsx';

const service = scriptService();

it('names the journeys and the sends that use an email', async () => {
  service.answers['GET /v2/journeys'] = page([{ journeyId: 'j1', name: 'Onboarding', status: 'active' }]);
  service.answers['GET /v2/broadcasts'] = page([{ broadcastId: 'b1', name: 'November news', status: 'cancelled' }]);
  stage(<UsedBy id="e1" />);
  expect((await screen.findByRole('link', { name: 'November news' })).getAttribute('href')).toBe('/sends/b1');
  expect(screen.getByRole('link', { name: 'Onboarding' }).getAttribute('href')).toBe('/journeys/j1');
  expect(document.body.textContent).toContain(`${t.usedBy} Onboarding, November news (canceled)`);
});

it('says when nothing uses it', async () => {
  service.answers['GET /v2/journeys'] = page([]);
  service.answers['GET /v2/broadcasts'] = page([]);
  stage(<UsedBy id="e2" />);
  expect(await screen.findByText(t.usedByNone)).toBeDefined();
});
