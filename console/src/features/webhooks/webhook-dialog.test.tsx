// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { envelope, refusal, scriptService, stage } from '../../../test/stage.tsx';
import { eventNames, t } from '../../texts/webhooks.ts';
import { CreateWebhookDialog, EditWebhookDialog } from './webhook-dialog.tsx';

const service = scriptService();

async function fill(url: string) {
  const onClose = vi.fn();
  const staged = stage(<CreateWebhookDialog onClose={onClose} />);
  await staged.user.click(screen.getByRole('textbox', { name: new RegExp(t.address) }));
  await staged.user.paste(url);
  await staged.user.click(screen.getByRole('button', { name: t.allHappenings }));
  return { ...staged, onClose };
}
const send = () => screen.getByRole('button', { name: t.createIt });
const posts = () => service.asked.filter(({ what }) => what === 'POST /v2/webhooks');

it('asks for an address before it sends anything', async () => {
  const { user } = await fill('nonsense');
  await user.click(send());
  expect(screen.getByText(t.enterAddress)).toBeDefined();
  expect(posts()).toEqual([]);
});

it('puts what the service refused beside the field, under its own name', async () => {
  service.answers['POST /v2/webhooks'] = refusal(400, [
    { errorCode: 'VALIDATION_ERROR', message: 'url must be public', detail: 'url' },
  ]);
  const { user } = await fill('https://10.0.0.1/');
  await user.click(send());
  expect(await screen.findByText(`${t.address} must be public`)).toBeDefined();
});

it('says of the form what is about no field', async () => {
  service.answers['POST /v2/webhooks'] = refusal(409, [{ errorCode: 'LIMIT', message: 'You have too many.' }]);
  const { user } = await fill('https://example.com/');
  await user.click(send());
  expect((await screen.findByRole('alert')).textContent).toBe('You have too many.');
});

it('shows the secret once, and cannot be closed by accident then', async () => {
  service.answers['POST /v2/webhooks'] = envelope({ id: 'w1', secret: 'whsec_1' });
  const { user, onClose } = await fill('https://example.com/');
  await user.click(send());
  expect(((await screen.findByLabelText(t.secret)) as HTMLInputElement).value).toBe('whsec_1');
  await user.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'I have copied it' }));
  expect(onClose).toHaveBeenCalledOnce();
});

it('keeps what was typed when the dialog is closed without being asked to forget', async () => {
  const { unmount } = await fill('https://example.com/kept');
  await waitFor(() => expect(JSON.stringify({ ...localStorage })).toContain('/kept'));
  unmount();
  stage(<CreateWebhookDialog onClose={() => undefined} />);
  await waitFor(() =>
    expect((screen.getByRole('textbox', { name: new RegExp(t.address) }) as HTMLInputElement).value).toBe(
      'https://example.com/kept',
    ),
  );
});

it('edits address and events, and asks for both', async () => {
  service.answers['PATCH /v2/webhooks/w1'] = envelope({});
  const onClose = vi.fn();
  const webhook = {
    ...{ webhookId: 'w1', url: 'https://example.com/old', events: ['message.sent' as const], state: 'active' as const },
    ...{ reason: null, failingSince: null, dropped: 0, createdAt: '2026-11-15T09:30:00.000Z' },
  };
  const { user } = stage(<EditWebhookDialog webhook={webhook} onClose={onClose} />);
  const url = screen.getByRole('textbox', { name: new RegExp(t.address) });
  await user.clear(url);
  await user.click(screen.getByRole('button', { name: t.save }));
  expect(screen.getByText(t.enterAddress)).toBeDefined();
  await user.type(url, 'https://example.com/new');
  await user.click(screen.getByRole('checkbox', { name: eventNames['journey.goal'] }));
  await user.click(screen.getByRole('button', { name: t.save }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  const [sent] = service.asked.filter(({ what }) => what === 'PATCH /v2/webhooks/w1');
  expect(sent?.body).toEqual({ url: 'https://example.com/new', events: ['message.sent', 'journey.goal'] });
});
