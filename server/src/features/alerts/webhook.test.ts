// Alerts to a Slack-compatible webhook: set, tried, retried, given up, and its address never shown.
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kindsOf, look, makeEntered, makeSized, setMail } from '../../../test/alerts.js';
import { useApp } from '../../../test/app.js';
import { auditOf } from '../../../test/audit.js';
import { eventually } from '../../../test/messages.js';
import { useReceiver } from '../../../test/receiver.js';
import { makeTeam, type Team } from '../../../test/team.js';
import { sql } from '../../db/sql.js';
import { randomBytes } from '../../lib/random.js';
import { SecretBox } from '../../lib/secret-box.js';
import { rotateSecrets } from '../sending/index.js';
import { webhookDrawers } from '../webhooks/index.js';

const logged: string[] = [];
const log = pino(
  { level: 'trace' },
  new Writable({ write: (chunk, _, done) => done(void logged.push(String(chunk))) }),
);
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const box = new SecretBox(newKey, [oldKey]);
const t = useApp({ work: true, box, log, webhooks: { allowPrivate: true } });
const guarded = useApp();
const receiver = useReceiver();

const path = '/v2/workspace/alert-webhook';
const secret = 'T0000/B0000/Zm9vYmFyq7Xw';
const urlOf = () => `http://127.0.0.1:${receiver.port}/services/${secret}`;
const bad = { sent: 1000, hardBounced: 100 };

let team: Team;
beforeEach(async () => {
  receiver.reset();
  logged.length = 0;
  team = await makeTeam(t);
  await t.admin.patch(`/admin/tenants/${team.tenantId}`, { name: 'Acme <&> Sons' });
});
// Leftovers of one test would reach the receiver of the next.
afterEach(() => t.db.run(sql`update webhook_delivery set state = 'dropped' where state = 'waiting'`));

const set = (url = urlOf()) => team.admin.put(path, { url });
const read = async () => (await team.admin.get(path)).body.data;
const told = (count: number) =>
  eventually(
    async () => receiver.told.length,
    (length) => length >= count,
  );
const hurry = () => t.db.run(sql`update webhook_delivery set due_at = now() where state = 'waiting' and lease is null`);

describe('the webhook', () => {
  it('is shown by its host and its last four characters only, logged so, and stored sealed', async () => {
    const { status, body } = await set();
    const host = `127.0.0.1:${receiver.port}`;
    expect([status, body.data]).toEqual([
      200,
      {
        ...{ host, ending: 'q7Xw', changedAt: expect.any(String), lastDeliveredAt: null },
        ...{ lastFailedAt: null, lastStatus: null, lastError: null, isGivenUp: false },
      },
    ]);
    await setMail(t, team, bad);
    await look(t);
    receiver.answer = (_request, response) => response.destroy();
    await team.admin.post(`${path}/test`);
    await eventually(read, ({ lastFailedAt }) => lastFailedAt !== null);
    const stored = await t.db.rows(sql`
      select row_to_json(w)::text from alert_webhook w union all select row_to_json(d)::text from webhook_delivery d
      union all select row_to_json(h)::text from webhook_header h union all select row_to_json(a)::text from audit_entry a`);
    for (const place of [stored, logged, await read()]) expect(JSON.stringify(place)).not.toContain('Zm9vYmFy');
    expect(await auditOf(t, team.tenantId, 'alert-webhook.')).toMatchObject([
      { action: 'alert-webhook.changed', subject: null, detail: JSON.stringify({ host }) },
    ]);
  });

  it('is not there before it is set, nor after it is removed', async () => {
    const { admin } = team;
    const all = () => Promise.all([admin.get(path), admin.delete(path), admin.post(`${path}/test`)]);
    expect((await all()).map(({ status }) => status)).toEqual([404, 404, 404]);
    await set();
    expect((await admin.delete(path)).body.data).toEqual({ success: true });
    expect((await all()).map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await t.db.rows(sql`select from webhook_header where tenant_id = ${team.tenantId}`)).toEqual([]);
    expect((await auditOf(t, team.tenantId, 'alert-webhook.')).map(({ action }) => action)).toEqual([
      'alert-webhook.changed',
      'alert-webhook.removed',
    ]);
  });

  it('is set once by two admins at the same time', async () => {
    const answers = await Promise.all(['a', 'b', 'c'].map((end) => set(`${urlOf()}${end}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await t.db.rows(sql`select from webhook_header where tenant_id = ${team.tenantId}`)).toHaveLength(1);
  });

  it.each([
    ['http://hooks.example.com/x', 'url must start with https://.'],
    ['ftp://hooks.example.com/x', 'url must be an address that starts with http:// or https://.'],
    ['hooks.example.com', 'url must be an address that starts with http:// or https://.'],
    ['https://me:secret@hooks.example.com/x', 'url must not have a user or password in it'],
    ['https://127.0.0.1/x', 'url must not lead to 127.0.0.1'],
    ['https://localhost/x', 'url must not lead to localhost'],
    ['https://hooks.example.com:25/x', 'url must not use port 25'],
  ])('may not be %s', async (url, message) => {
    const own = await guarded.tenant();
    const { status, body } = await own.put(path, { url });
    expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining(message)]);
    expect((await own.get(path)).status).toBe(404);
  });

  it('may be any address that leads outside over https', async () => {
    const own = await guarded.tenant();
    const { status, body } = await own.put(path, { url: ` https://hooks.slack.com/services/${secret} ` });
    expect([status, body.data]).toMatchObject([200, { host: 'hooks.slack.com', ending: 'q7Xw' }]);
  });

  it('moves to a new key, and goes on', async () => {
    await set();
    await t.db.run(sql`delete from webhook_key where tenant_id = ${team.tenantId}`);
    const row = await t.db.row(sql<{ id: string }>`
      select header_id as id from webhook_header where tenant_id = ${team.tenantId}`);
    const old = new SecretBox(oldKey).seal(urlOf(), `webhook-header:${team.tenantId}:${row?.id}`);
    await t.db.run(sql`update webhook_header set sealed = ${old} where tenant_id = ${team.tenantId}`);
    const { resealed, complaints } = await rotateSecrets(t.db, box, webhookDrawers);
    expect([resealed, complaints]).toEqual([1, []]);
    expect((await team.admin.post(`${path}/test`)).body.data.ok).toBe(true);
    await t.db.run(sql`update webhook_header set sealed = '\\x00' where tenant_id = ${team.tenantId}`);
    const { status, body } = await team.admin.post(`${path}/test`);
    expect([status, body.errors[0].message]).toEqual([409, expect.stringContaining('set it again')]);
  });
});

describe('a test', () => {
  it('posts a message, and shows the answer', async () => {
    await set();
    receiver.answer = (_request, response) => response.writeHead(404).end('no_service');
    expect((await team.admin.post(`${path}/test`)).body.data).toMatchObject({
      ...{ ok: false, status: 404, answer: 'no_service', error: 'It answered 404.' },
    });
    expect(receiver.received[0]).toMatchObject({ method: 'POST', path: `/services/${secret}` });
    expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
    expect(receiver.told[0]).toEqual({
      text: 'This is a test. Alerts for the workspace *Acme &lt;&amp;&gt; Sons* in Rapport will be posted here. <http://rapport.test/console/settings/alerts|See all alerts>',
    });
  });
});

describe('an alert', () => {
  it('is posted once when it opens, however many processes look', async () => {
    await set();
    const id = await makeEntered(t, team.program, [0, 12, 12, 12, 12, 12, 12, 12], { name: '<!channel> & co' });
    await Promise.all([1, 2, 3].map(() => look(t)));
    await look(t);
    await told(1);
    const text =
      ':warning: *Acme &lt;&amp;&gt; Sons*: people have stopped entering a journey\n' +
      '• No one entered the journey &lt;!channel&gt; &amp; co for 24 hours. In the seven days before, 84 contacts did. ' +
      `<http://rapport.test/console/journeys/${id}|See more>`;
    const { lastDeliveredAt } = await eventually(read, (webhook) => webhook.lastDeliveredAt !== null);
    expect(lastDeliveredAt).toEqual(expect.any(String));
    expect(receiver.told).toEqual([{ text }]);
  });

  it('is posted together with others that opened with it', async () => {
    await set();
    await setMail(t, team, bad);
    const id = await makeSized(t, team.program, 'Customers', [200], 10);
    await look(t);
    await told(1);
    const { text } = receiver.told[0];
    expect(text).toMatch(/^:warning: .*: 2 alerts\n• 100 of 1,000 messages .*\n• The list Customers went from /);
    expect(text).toContain(`<http://rapport.test/console/lists/static/${id}/growth|See more>`);
  });

  it('is tried again if the receiver fails, with what went wrong, and arrives', async () => {
    await set();
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await setMail(t, team, bad);
    await look(t);
    expect(await eventually(read, ({ lastFailedAt }) => lastFailedAt !== null)).toMatchObject({
      ...{ lastStatus: 500, lastError: 'It answered 500.', isGivenUp: false, lastDeliveredAt: null },
    });
    receiver.reset();
    await hurry();
    await told(1);
    expect(await eventually(read, ({ lastDeliveredAt }) => lastDeliveredAt !== null)).toMatchObject({
      ...{ lastFailedAt: null, lastStatus: null, lastError: null },
    });
    expect(receiver.told).toHaveLength(1);
  });

  it('is given up after a day', async () => {
    await set();
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await setMail(t, team, bad);
    await look(t);
    await eventually(read, ({ lastFailedAt }) => lastFailedAt !== null);
    await t.db.run(sql`
      update webhook_delivery set first_tried_at = now() - interval '24 hours' where tenant_id = ${team.tenantId}`);
    await hurry();
    const { lastError } = await eventually(read, ({ isGivenUp }) => isGivenUp);
    expect(lastError).toBe('Given up after 2 attempts in 24 hours. The last: It answered 500.');
  });

  it('that waits goes to the new address at once, and nowhere once there is none', async () => {
    await set();
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await setMail(t, team, bad);
    await look(t);
    await eventually(read, ({ lastFailedAt }) => lastFailedAt !== null);
    receiver.reset();
    expect((await set(`${urlOf()}2`)).body.data).toMatchObject({ ending: '7Xw2', lastFailedAt: null });
    await told(1);
    expect(receiver.received[0]?.path).toBe(`/services/${secret}2`);
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await makeSized(t, team.program, 'Customers', [200], 10);
    await look(t);
    await eventually(read, ({ lastFailedAt }) => lastFailedAt !== null);
    await team.admin.delete(path);
    const states = await t.db.rows(sql<{ state: string }>`
      select state from webhook_delivery where tenant_id = ${team.tenantId} order by delivery_no`);
    expect(states.map(({ state }) => state)).toEqual(['delivered', 'dropped']);
  });

  it('opens without a webhook, too, and is posted to nobody else’s', async () => {
    const other = await makeTeam(t);
    await set();
    await setMail(t, other, bad);
    await look(t);
    expect(await kindsOf(other.viewer)).toEqual(['bounces']);
    expect(await t.db.rows(sql`select from webhook_delivery where tenant_id = ${other.tenantId}`)).toEqual([]);
  });
});
