// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { envelope, page, refusal, scriptService, stage, viewer } from '../../../../test/stage.tsx';
import { sender as t } from '../../../texts/default-sender.ts';
import { t as emails } from '../../../texts/emails.ts';
import { DefaultSender } from './default-sender.tsx';

const service = scriptService();
const path = '/v2/workspace/default-sender';
const stored = { fromEmail: { email: 'hello@example.com', name: 'Acme' }, replyTo: 'help@example.com' };
const none = { fromEmail: null, replyTo: null };

function shown(sender: object) {
  service.answers[`GET ${path}`] = envelope(sender);
  service.answers['GET /v2/workspace/sending-domains'] = page([{ domain: 'example.com', status: 'verified' }]);
  return stage(<DefaultSender />);
}
async function fill(user: ReturnType<typeof stage>['user'], name: string, text: string) {
  await user.click(await screen.findByRole('textbox', { name: new RegExp(`^${name}`) }));
  await user.paste(text);
}
const puts = () => service.asked.filter(({ what }) => what === `PUT ${path}`).map(({ body }) => body);

it('stores the parts of an address as one, and what is empty as none', async () => {
  const { user } = shown(none);
  service.answers[`PUT ${path}`] = envelope(stored);
  await screen.findAllByDisplayValue('example.com');
  await fill(user, emails.fromLocal, 'hello');
  await user.click(screen.getByRole('button', { name: t.save }));
  await waitFor(() =>
    expect(puts()).toEqual([{ fromEmail: { email: 'hello@example.com', name: null }, replyTo: null }]),
  );
});

it('asks for an address, and shows what the service refused beside it', async () => {
  const { user } = shown(none);
  service.answers[`PUT ${path}`] = refusal(400, [
    {
      errorCode: 'UnapprovedEmailDomainException',
      message: 'The domain "example.com" is not approved for sending.',
      detail: 'fromEmail.email',
    },
  ]);
  await fill(user, t.fromName, 'Acme');
  await user.click(screen.getByRole('button', { name: t.save }));
  expect(await screen.findByText('Enter a sender address.')).toBeDefined();
  expect(puts()).toEqual([]);
  await fill(user, emails.fromLocal, 'hello');
  await user.click(screen.getByRole('button', { name: t.save }));
  expect(await screen.findByText(emails.unapproved('example.com'))).toBeDefined();
});

it('is removed by an admin, and only read by a viewer', async () => {
  const { user, unmount } = shown(stored);
  service.answers[`PUT ${path}`] = envelope(none);
  await user.click(await screen.findByRole('button', { name: t.remove }));
  await waitFor(() => expect(puts()).toEqual([none]));
  await waitFor(() => expect(screen.queryByRole('button', { name: t.remove })).toBeNull());
  unmount();
  service.answers['GET /v2/me'] = viewer;
  shown(stored);
  expect(await screen.findByText('hello@example.com')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});
