import { expect, it } from 'vitest';
import { browser, browserToken, goodPassword, makePerson, signedIn } from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';

const t = useApp();

it('signs in with the right password, straight into the only workspace', async () => {
  const { tenantId } = await t.tenant();
  const ada = await makePerson(t, { tenantId, role: 'member', name: 'Ada' });
  const b = browser(t);
  const reply = await b.fill('/oauth/sign-in?next=/console/lists', { email: ada.email, password: goodPassword });
  expect([reply.status, reply.headers.location]).toEqual([303, '/console/lists']);
  expect((await b.get('/oauth/session')).body).toEqual({
    person: { name: 'Ada', email: ada.email },
    workspace: { tenantId, name: 'Test', role: 'member' },
    workspaces: [{ tenantId, name: 'Test', role: 'member' }],
  });
  const mine = t.withToken(await browserToken(b));
  expect((await mine.get('/v2/lists')).status).toBe(200);
  expect((await mine.post('/v2/lists', { name: 'By Ada' })).status).toBe(200);
  expect((await signedIn(t, ada)).cookie).not.toBe(b.cookie);
});
