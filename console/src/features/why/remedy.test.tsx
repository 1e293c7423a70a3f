// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { envelope, refusal, scriptService, stage, viewer } from '../../../test/stage.tsx';
import { suppressionWords } from '../../texts/messages.ts';
import { remedies as t } from '../../texts/why.ts';
import type { Fact } from './remedies.ts';
import { Remedy } from './remedy.tsx';

const service = scriptService();
const contact = { contactId: 'c1', email: 'ada@example.com', name: 'Ada' };
const lifting = 'DELETE /v2/suppressions/ada%40example.com';

function shown(fact: Fact) {
  const onChanged = vi.fn();
  return { onChanged, ...stage(<Remedy fact={fact} contact={contact} onChanged={onChanged} />) };
}
const asked = (what: string) => service.asked.filter((one) => one.what === what);

it('lifts a suppression once a reason is given, and says what its owner wanted', async () => {
  service.answers[lifting] = envelope({ email: contact.email, success: true });
  const { user, onChanged } = shown({ code: 'addressSuppressed', reason: 'complained' });
  await user.click(await screen.findByRole('button', { name: t.lift }));
  expect(screen.getByText(suppressionWords.complained.care)).toBeDefined();
  await user.click(screen.getByRole('button', { name: t.liftConfirm }));
  expect(screen.getByText(t.enterNote)).toBeDefined();
  expect(asked(lifting)).toEqual([]);
  await user.click(screen.getByRole('textbox', { name: new RegExp(t.note) }));
  await user.paste('They asked for it.');
  await user.dblClick(screen.getByRole('button', { name: t.liftConfirm }));
  await waitFor(() => expect(onChanged).toHaveBeenCalledOnce());
  expect(asked(lifting)).toHaveLength(1);
});

it('says in the dialog why it was refused, such as that somebody else was first', async () => {
  service.answers[lifting] = refusal(404, [{ errorCode: 'NOT_FOUND', message: 'There is no such suppression.' }]);
  const { user, onChanged } = shown({ code: 'addressSuppressed', reason: 'manual' });
  await user.click(await screen.findByRole('button', { name: t.lift }));
  await user.click(screen.getByRole('textbox', { name: new RegExp(t.note) }));
  await user.paste('x');
  await user.click(screen.getByRole('button', { name: t.liftConfirm }));
  expect((await screen.findByRole('alert')).textContent).toBe('There is no such suppression.');
  expect(onChanged).not.toHaveBeenCalled();
});

it('resumes sending', async () => {
  service.answers['POST /v2/sending/resume'] = envelope({ state: 'open' });
  const { user, onChanged } = shown({ code: 'sendingPaused' });
  await user.click(await screen.findByRole('button', { name: t.resume }));
  await waitFor(() => expect(onChanged).toHaveBeenCalledOnce());
});

it('tells viewers who can, and has nothing to press', async () => {
  service.answers['GET /v2/me'] = viewer;
  shown({ code: 'addressSuppressed', reason: 'manual' });
  expect(await screen.findByText(t.askMember(t.lift))).toBeDefined();
  shown({ code: 'senderNotVerified', domain: 'example.com' });
  expect(await screen.findByText(t.askAdmin(t.publish('example.com')))).toBeDefined();
  expect([screen.queryByRole('button'), screen.queryByRole('link')]).toEqual([null, null]);
});
