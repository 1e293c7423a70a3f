// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { envelope, page, scriptService, stage } from '../../../../test/stage.tsx';
import { t } from '../../../texts/emails.ts';
import { CreateEmailDialog } from './create-email-dialog.tsx';

const service = scriptService();

function shown() {
  service.answers['GET /v2/workspace/sending-domains'] = page([{ domain: 'example.com', status: 'verified' }]);
  service.answers['GET /v2/workspace/email-theme'] = envelope({ theme: null });
  service.answers['GET /v2/workspace/default-sender'] = envelope({
    fromEmail: { email: 'hello@example.com', name: 'Acme' },
    replyTo: 'help@example.com',
  });
  service.answers['POST /v2/emails'] = envelope({ id: 'e1' });
  for (const path of ['folders', 'email-variables']) service.answers[`GET /v2/${path}`] = page([]);
  return stage(<CreateEmailDialog onClose={() => undefined} />);
}
const box = (name: string) => screen.findByRole('textbox', { name: new RegExp(`^${name}`) });
async function fill(user: ReturnType<typeof stage>['user'], name: string, text: string) {
  await user.click(await box(name));
  await user.paste(text);
}
const made = async () => {
  await waitFor(() => expect(service.asked.some(({ what }) => what === 'POST /v2/emails')).toBe(true));
  return service.asked.find(({ what }) => what === 'POST /v2/emails')?.body;
};

it('begins with the sender of the workspace, and keeps one that was typed', async () => {
  const { user } = shown();
  await screen.findByDisplayValue('Acme');
  await fill(user, t.fields.name, 'News');
  await fill(user, t.fields.subject, 'Hello');
  await user.clear(await box(t.fromLocal));
  await fill(user, t.fromLocal, 'ada');
  await user.click(screen.getByRole('button', { name: t.createAndEdit }));
  expect(await made()).toMatchObject({
    fromEmail: { email: 'ada@example.com', name: 'Acme' },
    replyTo: 'help@example.com',
  });
});
