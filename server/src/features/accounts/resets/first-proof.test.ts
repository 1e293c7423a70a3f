// A person takes an address that is not theirs, by inviting it themselves. Its owner gets it back, with nothing of the other person's left.
import { TOTP } from 'otpauth';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type Browser, browser, browserToken, goodPassword, isSignedIn, signedIn } from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';
import { inviter, pathOf } from '../../../../test/invitations.js';
import { linkIn, openMailbox } from '../../../../test/mailbox.js';
import * as oauth from '../../../../test/oauth.js';
import { sql } from '../../../db/sql.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';
import { holdMaker, insertToken } from '../../tenants/queries.js';

const mailbox = await openMailbox();
const box = new SecretBox(randomBytes(32));
const t = useApp({ transport: mailbox.transport, box, work: true });
afterAll(() => mailbox.server.close());

const newPassword = 'another horse in the stable';
let tenantId = 0;
let email = '';
let count = 0;
beforeEach(async () => {
  ({ tenantId } = await t.tenant());
  email = `owner-${++count}@example.com`;
});

/** Follows the link that the inviter was shown, or the one in the mail. */
async function join(how: 'shown' | 'mailed'): Promise<Browser> {
  const made = await inviter(t, { transport: mailbox.transport, box }).invite({ tenantId, email, role: 'admin' });
  const path = how === 'shown' ? pathOf(made) : linkIn(await mailbox.mailTo(email));
  expect(path === pathOf(made)).toBe(how === 'shown');
  const b = browser(t);
  const reply = await b.fill(path, { name: 'Somebody', password: goodPassword });
  expect([reply.status, reply.headers.location]).toEqual([303, '/console']);
  return b;
}

async function addSecondFactor(b: Browser): Promise<void> {
  const page = '/oauth/session/account';
  await b.post(page, { do: 'add-second-factor' });
  const { secret } = (await b.get(page)).body.secondFactor.trial;
  const reply = await b.post(page, { do: 'confirm-second-factor', code: new TOTP({ secret }).generate() });
  expect([reply.status, reply.body.codes.length]).toEqual([200, 10]);
}

async function reset(nth: number): Promise<void> {
  const b = browser(t);
  await b.fill('/oauth/forgot', { email });
  const reply = await b.fill(linkIn(await mailbox.mailTo(email, nth)), { password: newPassword });
  expect([reply.status, reply.text.includes('Your new password is set')]).toEqual([200, true]);
}
const codesLeft = () =>
  t.db.rows(sql`select from recovery_code join person using (person_id) where email_folded = ${email}`);
const actions = async () => {
  const rows = await t.db.rows(sql<{ action: string }>`
    select action from audit_entry where tenant_id = ${tenantId} order by entry_no`);
  return rows.map(({ action }) => action);
};

it('the first proof of an address ends the second factor, recovery codes, sessions, tokens and apps from before it', async () => {
  const squatter = await join('shown');
  await addSecondFactor(squatter);
  const session = t.withToken(await browserToken(squatter));
  const made = (await session.post('/v2/tokens', { name: 'x', scopes: ['READ'] })).body.data.token;
  const theirs = new oauth.Browser(t);
  for (const [name, value] of squatter.cookies) theirs.setCookie(name, value);
  const app = await oauth.connect(await oauth.registerApp(t), { browser: theirs });
  for (const token of [made, app.access_token]) expect((await t.withToken(token).get('/v2/me')).status).toBe(200);
  await reset(2);
  expect(await isSignedIn(squatter)).toBe(false);
  for (const token of [made, app.access_token]) expect((await t.withToken(token).get('/v2/me')).status).toBe(401);
  expect(await codesLeft()).toEqual([]);
  expect(await isSignedIn(await signedIn(t, { email, password: newPassword }))).toBe(true);
  expect((await actions()).slice(-3, -1)).toEqual(['second-factor.removed', 'password.reset']);
});

it('a later reset ends no second factor', async () => {
  await join('shown');
  await reset(2);
  await addSecondFactor(await signedIn(t, { email, password: newPassword }));
  await reset(3);
  const reply = await browser(t).fill('/oauth/sign-in', { email, password: newPassword });
  expect([reply.status, reply.text.includes('Enter your code')]).toEqual([200, true]);
});

it('a person who joins by the link in the mail has proven the address: their second factor stays from the start', async () => {
  await addSecondFactor(await join('mailed'));
  await reset(2);
  const reply = await browser(t).fill('/oauth/sign-in', { email, password: newPassword });
  expect([reply.status, reply.text.includes('Enter your code')]).toEqual([200, true]);
});

it('tokens that are older than the person stay: an operator made them for a program', async () => {
  const made = await t.admin.post(`/admin/tenants/${tenantId}/accounts`, { name: 'CRM sync', email });
  const { accountId } = made.body.data;
  const { token } = (
    await t.admin.post(`/admin/tenants/${tenantId}/tokens`, { name: 'crm', scopes: ['READ'], accountId })
  ).body.data;
  await join('shown');
  await reset(2);
  expect((await t.withToken(token).get('/v2/me')).status).toBe(200);
});

/** Waits until a session waits for a lock in this database. */
async function untilSomebodyWaits(): Promise<void> {
  const waiting = () =>
    t.db.rows(sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  while ((await waiting()).length === 0);
}

it('a token that is being made at that very moment ends as well', async () => {
  const session = t.withToken(await browserToken(await join('shown')));
  const { tokenId } = (await session.post('/v2/tokens', { name: 'x', scopes: ['READ', 'WRITE'] })).body.data;
  let resetting = Promise.resolve();
  const { accountId } = await t.db.transaction(async (tx) => {
    await holdMaker(tx, tenantId, tokenId);
    const row = await tx.row(sql<{ accountId: number }>`
      select account_id as "accountId" from access_token where tenant_id = ${tenantId} and token_id = ${tokenId}`);
    const { accountId } = row as { accountId: number };
    const made = { name: 'late', scopes: ['READ' as const], expiresAt: null, allowedAddresses: null, grantHash: null };
    const tokenHash = randomBytes(32).toString('hex');
    await insertToken(tx, { ...made, tokenHash, tenantId, accountId, madeWith: tokenId });
    resetting = reset(2);
    await Promise.race([resetting, untilSomebodyWaits()]);
    return { accountId };
  });
  await resetting;
  const live = await t.db.rows(sql`
    select from access_token where tenant_id = ${tenantId} and account_id = ${accountId} and revoked_at is null`);
  expect(live).toEqual([]);
});
