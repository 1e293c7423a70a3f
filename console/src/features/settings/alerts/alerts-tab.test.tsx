// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { envelope, page, refusal, scriptService, stage, viewer } from '../../../../test/stage.tsx';
import { t } from '../../../texts/alerts.ts';
import AlertsTab from './alerts-tab.tsx';

const service = scriptService();
const mail = { isOn: false, address: 'ada@example.com', obstacle: null };
const webhook = {
  ...{ host: 'hooks.slack.com', ending: 'q7Xw', changedAt: '2026-11-18T08:00:00.000Z', lastDeliveredAt: null },
  ...{ lastFailedAt: '2026-11-18T09:00:00.000Z', lastStatus: 500, lastError: 'It answered 500.', isGivenUp: false },
};
const id = '65f1c0ffee0123456789abce';
const stopped = {
  ...{ alertId: '65f1c0ffee0123456789abcd', kind: 'journeyStopped', state: 'open', closedAt: null },
  ...{ openedAt: '2026-11-18T09:05:00.000Z', subject: { type: 'journey', id, name: 'Welcome' } },
  ...{ count: 0, comparedWith: 812, text: 'No one entered the journey Welcome.', link: `/v2/journeys/${id}` },
};
const gone = {
  ...{ ...stopped, alertId: '65f1c0ffee0123456789abcf', state: 'closed', closedAt: '2026-11-18T10:00:00.000Z' },
  ...{
    subject: { type: 'journey', id, name: null },
    text: 'No one entered a journey that has since been deleted.',
    link: null,
  },
};
const hook = '/v2/workspace/alert-webhook';

function script(more: object = {}): void {
  Object.assign(service.answers, {
    'GET /v2/me/alerts': envelope(mail),
    'GET /v2/alerts': page([]),
    ...more,
  });
}

const theSwitch = () => screen.findByRole<HTMLInputElement>('switch', { name: new RegExp(t.mail) });

it('shows what is open and what was, and leads to what each is about', async () => {
  script({ 'GET /v2/alerts': page([stopped, gone]) });
  stage(<AlertsTab />);
  expect((await screen.findAllByText(/^No one entered the journey Welcome/)).length).toBeGreaterThan(0);
  const links = screen.getAllByRole('link', { name: t.look.journeyStopped });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([`/journeys/${id}`]);
  expect(screen.getByText(t.states.open)).toBeDefined();
});

it('lets everybody choose their mail, but only admins see the webhook', async () => {
  script({ 'GET /v2/me': viewer, 'PUT /v2/me/alerts': envelope({ ...mail, isOn: true }) });
  const { user } = stage(<AlertsTab />);
  await user.click(await theSwitch());
  await waitFor(async () => expect((await theSwitch()).checked).toBe(true));
  expect(service.asked.find(({ what }) => what === 'PUT /v2/me/alerts')?.body).toEqual({ isOn: true });
  expect(screen.queryByText(t.webhook)).toBeNull();
  expect(await screen.findByText(t.none)).toBeDefined();
});

it('cannot switch mail on without a mail server, and says so', async () => {
  script({ 'GET /v2/me/alerts': envelope({ ...mail, obstacle: 'noMailServer' }) });
  stage(<AlertsTab />);
  expect((await theSwitch()).disabled).toBe(true);
  expect(screen.getByText(t.obstacles.noMailServer)).toBeDefined();
});

it('sets the webhook, keeps its address nowhere, and shows only its host and end', async () => {
  const url = 'https://hooks.slack.com/services/T0/B0/Zm9vYmFyq7Xw';
  const isSet = () => {
    script({ [`GET ${hook}`]: envelope(webhook) });
    return envelope(webhook);
  };
  script({ [`PUT ${hook}`]: isSet });
  const { user } = stage(<AlertsTab />);
  await user.click(await screen.findByRole('button', { name: t.set }));
  await user.click(await screen.findByRole('textbox', { name: new RegExp(t.url) }));
  await user.paste(url);
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('Zm9v');
  await user.click(screen.getByRole('button', { name: t.save }));
  expect(await screen.findByText('hooks.slack.com')).toBeDefined();
  expect(screen.getByText('…q7Xw')).toBeDefined();
  expect(screen.getByText(/It answered 500\. Rapport keeps trying for 24 hours\./)).toBeDefined();
  expect(service.asked.find(({ what }) => what === `PUT ${hook}`)?.body).toEqual({ url });
});

it('says at the field why an address is refused', async () => {
  script({
    [`PUT ${hook}`]: refusal(400, [
      { errorCode: 'VALIDATION_ERROR', message: 'url must start with https://', detail: 'url' },
    ]),
  });
  const { user } = stage(<AlertsTab />);
  await user.click(await screen.findByRole('button', { name: t.set }));
  await user.click(await screen.findByRole('textbox', { name: new RegExp(t.url) }));
  await user.paste('nonsense');
  await user.click(screen.getByRole('button', { name: t.save }));
  expect(screen.getByText(t.enterUrl)).toBeDefined();
  await user.clear(screen.getByRole('textbox', { name: new RegExp(t.url) }));
  await user.paste('http://example.com/');
  await user.click(screen.getByRole('button', { name: t.save }));
  expect(await screen.findByText(`${t.url} must start with https://`)).toBeDefined();
});

it('sends a test and shows what was answered', async () => {
  const told = { ok: false, status: 404, durationMs: 12, answer: 'no_service', error: 'It answered 404.' };
  script({ [`GET ${hook}`]: envelope(webhook), [`POST ${hook}/test`]: envelope(told) });
  const { user } = stage(<AlertsTab />);
  await user.click(await screen.findByRole('button', { name: t.test }));
  expect(await screen.findByText('no_service')).toBeDefined();
});
