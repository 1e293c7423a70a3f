// @vitest-environment happy-dom
import { TextInput } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { scriptService, stage } from '../../../test/stage.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { wanted } from './faults.ts';
import { FormBody } from './form-body.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useForm } from './use-form.ts';

scriptService();

type Send = (fields: { name: string }) => Promise<{ secret: string }>;

function NameForm({ send, onClose, hasSecret }: { send: Send; onClose: () => void; hasSecret: boolean }) {
  const form = useForm({
    draft: 'test',
    initial: { name: '' },
    labels: { name: 'Name' },
    check: ({ name }) => ({ name: wanted(name, 'Enter a name.') }),
    send,
    onClose,
    ...(hasSecret ? { staysOpen: 'secret' } : {}),
  });
  const secret = (made: { secret: string }) => ({ title: 'Made', label: 'Secret', note: 'Copy it.', ...made });
  return (
    <FormDialog form={form} title="A form" submit="Send it" {...(hasSecret ? { secret } : {})}>
      <TextInput {...form.text('name')} data-autofocus />
    </FormDialog>
  );
}

function Opener({ send, hasSecret = false }: { send: Send; hasSecret?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && <NameForm send={send} onClose={() => setOpen(false)} hasSecret={hasSecret} />}
    </>
  );
}

async function open(send: Send, hasSecret = false) {
  const staged = stage(<Opener send={send} hasSecret={hasSecret} />);
  await staged.user.click(screen.getByText('Open'));
  return staged;
}
const field = () => screen.getByRole('textbox', { name: 'Name' }) as HTMLInputElement;
const made = async () => ({ secret: 'psst' });

it('starts in its first field, and is sent with Enter', async () => {
  const send = vi.fn<Send>(made);
  const { user } = await open(send);
  await waitFor(() => expect(document.activeElement).toBe(field()));
  await user.keyboard('Ada{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(send.mock.calls.map(([fields]) => fields)).toEqual([{ name: 'Ada' }]);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Open')));
});

it('says beside a field what is wrong with it, until that is mended, and sends nothing', async () => {
  const send = vi.fn<Send>(made);
  const { user } = await open(send);
  expect(field().getAttribute('aria-invalid')).not.toBe('true');
  await user.click(screen.getByRole('button', { name: 'Send it' }));
  expect(field().getAttribute('aria-invalid')).toBe('true');
  const told = document.getElementById(field().getAttribute('aria-describedby') ?? '');
  expect(told?.textContent).toBe('Enter a name.');
  await user.type(field(), 'A');
  expect(screen.queryByText('Enter a name.')).toBeNull();
  expect(send).not.toHaveBeenCalled();
});

it('stays open with what was refused, beside the field that it is about', async () => {
  const refusal = new ApiFailure(400, [
    { errorCode: 'VALIDATION_ERROR', message: 'name is taken', detail: 'name' },
    { errorCode: 'NOT_READY', message: 'You have too many.' },
  ]);
  const { user } = await open(() => Promise.reject(refusal));
  await user.type(field(), 'Ada');
  await user.click(screen.getByRole('button', { name: 'Send it' }));
  expect(await screen.findByText('Name is taken')).toBeDefined();
  expect(screen.getByRole('alert').textContent).toBe('You have too many.');
  await user.type(field(), '!');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('is sent once, however often it is asked to', async () => {
  const send = vi.fn<Send>(() => new Promise(() => undefined));
  const { user } = await open(send);
  await user.type(field(), 'Ada{Enter}{Enter}');
  expect((screen.getByRole('button', { name: 'Send it' }) as HTMLButtonElement).disabled).toBe(true);
  expect(send).toHaveBeenCalledOnce();
});

it('keeps what is typed when it is closed, and forgets it when it is cancelled', async () => {
  const { user } = await open(made);
  // Kept once the owner of the draft is known.
  await waitFor(async () => {
    await user.clear(field());
    await user.type(field(), 'Ada');
    expect(JSON.stringify({ ...localStorage })).toContain('Ada');
  });
  await user.keyboard('{Escape}');
  await user.click(screen.getByText('Open'));
  expect(field().value).toBe('Ada');
  expect(screen.getByRole('status').textContent).toBe('Your unsaved changes are still here.');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByText('Open'));
  expect(field().value).toBe('');
  expect(screen.queryByRole('status')).toBeNull();
});

it('says what was not kept, and nothing of what is not there, where everything is secret', async () => {
  function CodeForm() {
    const form = useForm({
      draft: 'code',
      initial: { code: '' },
      withoutSecrets: () => ({}),
      notKept: 'Enter the code again.',
      labels: { code: 'Code' },
      send: async () => undefined,
    });
    return (
      <FormBody form={form} submit="Send it">
        <TextInput {...form.text('code')} />
      </FormBody>
    );
  }
  const { user, unmount } = stage(<CodeForm />);
  await waitFor(async () => {
    await user.clear(screen.getByRole('textbox', { name: 'Code' }));
    await user.type(screen.getByRole('textbox', { name: 'Code' }), '12');
    expect(Object.keys({ ...localStorage }).join()).toContain('form:code');
  });
  expect(JSON.stringify({ ...localStorage })).not.toContain('"12"');
  unmount();
  stage(<CodeForm />);
  expect((await screen.findByRole('status')).textContent).toBe('Enter the code again.');
});

it('shows a secret in the place of the form, and only its button closes that', async () => {
  const { user } = await open(made, true);
  await user.type(field(), 'Ada{Enter}');
  expect(((await screen.findByLabelText('Secret')) as HTMLInputElement).value).toBe('psst');
  await user.keyboard('{Escape}');
  expect(screen.getByRole('dialog', { name: 'Made' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'I have copied it' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

const question = { title: 'Delete it?', text: 'It is gone then.', confirm: 'Delete' };

it('asks with the harmless answer first, and says what was refused', async () => {
  const onClose = vi.fn();
  const act = () => Promise.reject(new Error('In use.'));
  const { user } = stage(<ConfirmDialog {...question} act={act} onClose={onClose} />);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  expect((await screen.findByRole('alert')).textContent).toBe('In use.');
  expect(onClose).not.toHaveBeenCalled();
});

it('closes once it is done, and does it once', async () => {
  const onClose = vi.fn();
  let finish = (): void => undefined;
  const act = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  const { user } = stage(<ConfirmDialog {...question} act={act} onClose={onClose} />);
  const confirm = screen.getByRole('button', { name: 'Delete' }) as HTMLButtonElement;
  await user.dblClick(confirm);
  expect(confirm.disabled).toBe(true);
  expect(onClose).not.toHaveBeenCalled();
  finish();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(act).toHaveBeenCalledOnce();
});
