// Alerts by mail: the switch, the mail and the link that stops it.
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { alertsOf, kindsOf, makeEntered, makeSized, sendMail, setMail, watchNeeds } from '../../../test/alerts.js';
import { useApp } from '../../../test/app.js';
import { linkIn, openMailbox } from '../../../test/mailbox.js';
import { makeTeam, type Team } from '../../../test/team.js';
import { sql } from '../../db/sql.js';
import { randomBytes } from '../../lib/random.js';
import { SecretBox } from '../../lib/secret-box.js';
import { watchAll } from './watch.js';

const mailbox = await openMailbox();
const box = new SecretBox(randomBytes(32));
const t = useApp({ box, transport: mailbox.transport });
afterAll(async () => {
  mailbox.transport.close();
  await mailbox.server.close();
});

const path = '/v2/me/alerts';
let team: Team;
beforeEach(async () => {
  team = await makeTeam(t);
  await t.admin.patch(`/admin/tenants/${team.tenantId}`, { name: 'Acme' });
});

const needs = () => watchNeeds(t, { box, transport: mailbox.transport });

/** What a worker does: the chore, then the queue. */
async function work(): Promise<void> {
  await watchAll(needs());
  await sendMail(needs(), team.tenantId);
}

describe('the switch', () => {
  it('is off until the person switches it on, also a viewer, and each has their own', async () => {
    const { viewer, member } = team;
    const off = { isOn: false, address: viewer.email, obstacle: null };
    expect((await viewer.get(path)).body.data).toEqual(off);
    const { status, body } = await viewer.put(path, { isOn: true });
    expect([status, body.data]).toEqual([200, { ...off, isOn: true }]);
    expect((await viewer.put(path, { isOn: true })).status).toBe(200);
    expect((await member.get(path)).body.data.isOn).toBe(false);
    expect((await viewer.put(path, { isOn: false })).body.data).toEqual(off);
  });

  it('refuses an account of a program, and bodies that say something else', async () => {
    const { status, body } = await team.program.put(path, { isOn: true });
    expect([status, body.errors[0].errorCode]).toEqual([409, 'INVALID_STATE']);
    expect(body.errors[0].message).toContain('only people');
    expect((await team.program.get(path)).body.data).toEqual({ isOn: false, address: null, obstacle: 'noAddress' });
    for (const wrong of [{}, { isOn: 'yes' }, { isOn: null }])
      expect((await team.viewer.put(path, wrong)).status).toBe(400);
  });
});

describe('the mail', () => {
  it('leaves once to everybody who wants it, when the alert opens', async () => {
    const { viewer, member, admin } = team;
    for (const who of [viewer, member]) await who.put(path, { isOn: true });
    const id = await makeEntered(t, team.program, [0, 12, 12, 12, 12, 12, 12, 12], { name: 'Welcome to evil.example' });
    await Promise.all([1, 2, 3].map(() => watchAll(needs())));
    await work();
    await work();
    for (const { email } of [viewer, member]) expect(mailbox.countTo(email)).toBe(1);
    expect(mailbox.countTo(admin.email)).toBe(0);
    const mail = await mailbox.mailTo(viewer.email);
    expect(mail.subject).toBe('Acme: people have stopped entering a journey');
    expect(mail.text).toContain('No one entered the journey Welcome to evil. example for 24 hours. In the seven days');
    expect(linkIn(mail)).toBe(`/console/journeys/${id}`);
  });

  it('tells of all that opened together in one mail', async () => {
    const { viewer } = team;
    await viewer.put(path, { isOn: true });
    await setMail(t, team, { sent: 1000, hardBounced: 100 });
    for (let n = 0; n < 11; n++) await makeSized(t, team.program, `List ${n}`, [200], 10);
    await work();
    expect(mailbox.countTo(viewer.email)).toBe(1);
    const mail = await mailbox.mailTo(viewer.email);
    expect(mail.subject).toBe('Acme: 12 alerts');
    expect(mail.text).toContain('And 2 more.');
    expect(linkIn(mail)).toBe('/console/settings/alerts');
  });

  it('waits if a worker is killed before it was queued: then the alert is not open either', async () => {
    const { viewer } = team;
    await viewer.put(path, { isOn: true });
    await setMail(t, team, { sent: 1000, hardBounced: 100 });
    const killed = needs();
    killed.mail.enqueue = () => Promise.reject(new Error('killed'));
    await watchAll(killed);
    expect(await alertsOf(viewer)).toEqual([]);
    await work();
    expect(await kindsOf(viewer)).toEqual(['bounces']);
    expect(mailbox.countTo(viewer.email)).toBe(1);
  });

  it('of one workspace that fails does not hold up another', async () => {
    const other = await makeTeam(t);
    for (const { viewer } of [team, other]) await viewer.put(path, { isOn: true });
    for (const each of [team, other]) await setMail(t, each, { sent: 1000, hardBounced: 100 });
    const broken = needs();
    const { enqueue } = broken.mail;
    broken.mail.enqueue = (tx, tenantId, ...letter) =>
      tenantId === team.tenantId
        ? Promise.reject(new Error('broken'))
        : enqueue.call(broken.mail, tx, tenantId, ...letter);
    await watchAll(broken);
    expect(await kindsOf(team.viewer)).toEqual([]);
    expect(await kindsOf(other.viewer)).toEqual(['bounces']);
  });

  it('ends when the account is deactivated', async () => {
    const { viewer, tenantId } = team;
    await viewer.put(path, { isOn: true });
    await t.db.run(sql`
      update account set deactivated_at = now() where tenant_id = ${tenantId} and account_id = ${viewer.accountId}`);
    await setMail(t, team, { sent: 1000, hardBounced: 100 });
    await work();
    expect(mailbox.countTo(viewer.email)).toBe(0);
    expect(await kindsOf(team.member)).toEqual(['bounces']);
  });
});

describe('the link at its end', () => {
  it('shows a button, and stops the mail only when that is pressed', async () => {
    const { viewer } = team;
    await viewer.put(path, { isOn: true });
    await setMail(t, team, { sent: 1000, hardBounced: 100 });
    await work();
    const { text = '' } = await mailbox.mailTo(viewer.email);
    const link = /http:\/\/rapport\.test(\/alerts\/stop\S+)/.exec(text)?.[1] ?? '';
    const page = await t.anonymous.get(link);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(viewer.email)]);
    expect((await viewer.get(path)).body.data.isOn).toBe(true);
    const token = link.slice(link.indexOf('=') + 1);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const ended = await t.anonymous.post('/alerts/stop', `token=${token}`, form);
    expect([ended.status, ended.text]).toEqual([200, expect.stringContaining('Alerts by email are off')]);
    expect((await viewer.get(path)).body.data.isOn).toBe(false);
    // A link for one kind of mail ends no other.
    expect((await t.anonymous.get(`/weekly-summary/stop?token=${token}`)).status).toBe(404);
  });
});

it('a list of alerts is paged, and filtered by what is open and what is not', async () => {
  const { viewer, program } = team;
  await setMail(t, team, { sent: 1000, hardBounced: 100 });
  await work();
  await setMail(t, team, { sent: 1000, complained: 10 });
  await work();
  const page = await viewer.get('/v2/alerts?pageSize=1&pageNumber=2');
  expect(page.body.data).toMatchObject([{ kind: 'bounces', state: 'closed' }]);
  expect(page.body.pagination).toMatchObject({ totalElements: 2 });
  expect(await kindsOf(viewer)).toEqual(['complaints']);
  expect(await kindsOf(program, 'closed')).toEqual(['bounces']);
  const { status, body } = await viewer.get('/v2/alerts?state=loud');
  expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining('state')]);
});
