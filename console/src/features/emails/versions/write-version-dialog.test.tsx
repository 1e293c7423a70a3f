// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { envelope, page, refusal, scriptService, stage } from '../../../../test/stage.tsx';
import { t } from '../../../texts/versions.ts';
import { WriteVersionDialog } from './write-version-dialog.tsx';

const service = scriptService();
const storing = 'POST /v2/email-versions';
const html = '<p>Hello</p><a href="{{unsubscribe_url}}">Unsubscribe</a>';

function shown() {
  service.answers['GET /v2/emails'] = page([]);
  service.answers['GET /v2/emails/e1/preview'] = envelope({
    html: html.replace('{{unsubscribe_url}}', 'http://127.0.0.1:8080/t/u/preview'),
  });
  const onClose = vi.fn();
  const of = { assetId: 'e1', contact: { id: 'c1', email: 'ada@example.com' } };
  return { onClose, ...stage(<WriteVersionDialog of={of} onClose={onClose} />) };
}
const stored = () => service.asked.filter(({ what }) => what === storing).map(({ body }) => body);

it('begins with what the contact would get now, and stores what was changed', async () => {
  service.answers[storing] = envelope({ status: 'stored' });
  const { user, onClose } = shown();
  await screen.findByDisplayValue(html);
  await user.click(screen.getByRole('textbox', { name: t.subject }));
  await user.paste(' For you alone ');
  await user.dblClick(screen.getByRole('button', { name: t.save }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(stored()).toEqual([{ assetId: 'e1', email: 'ada@example.com', html, subject: 'For you alone' }]);
});

it('shows what the service refused beside the field, under its name', async () => {
  service.answers[storing] = refusal(400, [
    { errorCode: 'VALIDATION_ERROR', message: 'html must contain {{unsubscribe_url}}', detail: 'html' },
  ]);
  const { user, onClose } = shown();
  await screen.findByDisplayValue(html);
  await user.click(screen.getByRole('button', { name: t.save }));
  expect(await screen.findByText(`${t.html} must contain {{unsubscribe_url}}`)).toBeDefined();
  expect(onClose).not.toHaveBeenCalled();
});
