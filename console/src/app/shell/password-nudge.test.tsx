// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { scriptService, stage } from '../../../test/stage.tsx';
import { useRights } from '../../api/session/rights.ts';
import { useSession } from '../../api/session/session.tsx';
import { t } from '../../texts/shell.ts';
import { PasswordNudge } from './password-nudge.tsx';

const service = scriptService();
const workspace = { tenantId: 1, name: 'Acme', role: 'admin' };

function signedIn(needsPassword: boolean): void {
  const person = { name: 'Ada', email: 'ada@example.com', needsPassword };
  const expiresAt = new Date(Date.now() + 900_000).toISOString();
  service.answers['GET /oauth/session'] = { body: { person, workspace, form: 'f' } };
  service.answers['POST /oauth/session/token'] = {
    body: { token: 't', expiresAt, person, workspace, workspaces: [workspace] },
  };
}
beforeEach(() => sessionStorage.clear());

function Inside() {
  return useRights().me ? (
    <>
      <PasswordNudge />
      <p>ready</p>
    </>
  ) : null;
}
const Gate = () => (useSession().api ? <Inside /> : null);

it('asks a person without a password for one, until they say no, and remembers that', async () => {
  signedIn(true);
  const { user, unmount } = stage(<Gate />);
  expect((await screen.findByRole('link', { name: t.setPassword })).getAttribute('href')).toBe('/account');
  await user.click(screen.getByRole('button', { name: t.noPassword }));
  await waitFor(() => expect(screen.queryByText(t.needsPassword)).toBeNull());
  unmount();
  stage(<Gate />);
  await screen.findByText('ready');
  expect(screen.queryByText(t.needsPassword)).toBeNull();
});

it('asks nobody who has one', async () => {
  signedIn(false);
  stage(<Gate />);
  await screen.findByText('ready');
  expect(screen.queryByText(t.needsPassword)).toBeNull();
});
