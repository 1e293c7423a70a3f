// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { scriptService, stage } from '../../../test/stage.tsx';
import { t } from '../../texts/sign-in.ts';
import { EmailForm } from './email-form.tsx';

const service = scriptService();
const submit = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => undefined);
afterEach(() => submit.mockClear());

async function fill() {
  const { user } = stage(<EmailForm />);
  await user.type(screen.getByLabelText(t.email), 'ada@example.com');
  await user.type(screen.getByLabelText(t.password), 'secret');
  await user.click(screen.getByRole('button', { name: t.signIn }));
}

it('says what is missing, and sends nothing', async () => {
  const { user } = stage(<EmailForm />);
  await user.click(screen.getByRole('button', { name: t.signIn }));
  await screen.findByText(t.enterEmail);
  await screen.findByText(t.enterPassword);
  expect(submit).not.toHaveBeenCalled();
});

it('is submitted to the service, with the field of now and the page to come back to', async () => {
  service.answers['GET /oauth/session'] = { body: { person: null, workspace: null, form: 'of-now' } };
  await fill();
  await vi.waitFor(() => expect(submit).toHaveBeenCalledOnce());
  const form = submit.mock.contexts[0] as HTMLFormElement;
  expect(form.getAttribute('action')).toBe('/oauth/sign-in');
  expect(Object.fromEntries(new FormData(form))).toEqual({
    ...{ form: 'of-now', next: location.pathname + location.search },
    ...{ email: 'ada@example.com', password: 'secret' },
  });
});

it('can be tried again when the service does not answer', async () => {
  service.answers['GET /oauth/session'] = { status: 503 };
  await fill();
  await screen.findByText(t.noAnswer);
  expect(submit).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: t.signIn }).hasAttribute('disabled')).toBe(false);
});
