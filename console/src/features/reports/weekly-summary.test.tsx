// @vitest-environment happy-dom
import { Notifications } from '@mantine/notifications';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { envelope, readToken, refusal, scriptService, stage } from '../../../test/stage.tsx';
import { WeeklySummary } from './weekly-summary.tsx';

const service = scriptService();
const off = { isOn: false, timeZone: 'UTC', nextAt: null, address: 'ada@example.com', obstacle: null };
const on = { ...off, isOn: true, timeZone: 'Europe/Berlin', nextAt: '2026-11-23T07:00:00.000Z' };
const path = '/v2/me/weekly-summary';
const theSwitch = () => screen.findByRole<HTMLInputElement>('switch', { name: /^Weekly summary by email/ });

it('is switched on for the time zone of the browser, also by people who may only read', async () => {
  Object.assign(service.answers, {
    'GET /v2/me': readToken,
    [`GET ${path}`]: envelope(off),
    [`PUT ${path}`]: envelope(on),
  });
  const { user } = stage(<WeeklySummary />);
  await user.click(await theSwitch());
  await screen.findByText('On Mondays at 8:00 (Europe/Berlin) to ada@example.com.');
  expect((await theSwitch()).checked).toBe(true);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(service.asked.find(({ what }) => what === `PUT ${path}`)?.body).toEqual({ isOn: true, timeZone });
});

it('is switched off again', async () => {
  Object.assign(service.answers, { [`GET ${path}`]: envelope(on), [`PUT ${path}`]: envelope(off) });
  const { user } = stage(<WeeklySummary />);
  await user.click(await theSwitch());
  await screen.findByText(/to ada@example\.com\. Only you get it\.$/);
  expect(service.asked.find(({ what }) => what === `PUT ${path}`)?.body).toEqual({ isOn: false });
});

it('stays as it was if the service refuses, and says why', async () => {
  const refused = refusal(409, [{ errorCode: 'INVALID_STATE', message: 'The service has no mail server.' }]);
  Object.assign(service.answers, { [`GET ${path}`]: envelope(off), [`PUT ${path}`]: refused });
  const { user } = stage(
    <>
      <Notifications />
      <WeeklySummary />
    </>,
  );
  await user.click(await theSwitch());
  await screen.findByText(/The service has no mail server/);
  expect((await theSwitch()).checked).toBe(false);
});

it('cannot be switched on without a mail server, and says so', async () => {
  service.answers[`GET ${path}`] = envelope({ ...off, obstacle: 'noMailServer' });
  stage(<WeeklySummary />);
  expect((await theSwitch()).disabled).toBe(true);
  expect(screen.getByText(/^This installation has no mail server/)).toBeDefined();
});
