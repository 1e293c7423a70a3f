// The weekly summary, from the switch to the mail: a real SMTP conversation, and the time that the test gives.
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { seedFigures } from '../../../test/figures.js';
import { linkIn, openMailbox } from '../../../test/mailbox.js';
import { makeTeam, type Team } from '../../../test/team.js';
import { sql } from '../../db/sql.js';
import { systemClock } from '../../lib/clock.js';
import { randomBytes } from '../../lib/random.js';
import { SecretBox } from '../../lib/secret-box.js';
import { outboxTransport } from '../../mail/outbox.js';
import { unwatched } from '../../work/queue.js';
import { AccountMail, StopLinks } from '../accounts/index.js';
import { sendSummaries } from './send-summaries.js';

const mailbox = await openMailbox();
const box = new SecretBox(randomBytes(32));
let now = Date.parse('2026-11-18T12:00:00.000Z');
const clock = { ...systemClock, now: () => new Date(now) };
const t = useApp({ box, clock, transport: mailbox.transport });
afterAll(async () => {
  mailbox.transport.close();
  await mailbox.server.close();
});

const path = '/v2/me/weekly-summary';
let team: Team;
beforeEach(async () => {
  now = Date.parse('2026-11-18T12:00:00.000Z');
  team = await makeTeam(t);
});

function mailer(transport = mailbox.transport): AccountMail {
  return new AccountMail({
    ...{ db: t.db, clock, box, transport, baseUrl: () => 'http://rapport.test', wake: () => undefined },
    log: pino({ level: 'silent' }),
  });
}

const needs = (mail = mailer()) => ({
  ...{ db: t.db, clock, mail, baseUrl: () => 'http://rapport.test', links: new StopLinks(box, 'weekly-summary') },
  log: pino({ level: 'silent' }),
});

/** What a worker does: the chore, then the queue. */
async function work(): Promise<void> {
  await sendSummaries(needs());
  await mailer().queues[0]?.serve(team.tenantId, unwatched, new AbortController().signal);
}

const switchOn = (who = team.viewer, timeZone = 'Europe/Berlin') => who.put(path, { isOn: true, timeZone });

describe('the setting', () => {
  it('is off until the person switches it on, and each has their own', async () => {
    const { viewer, member } = team;
    expect((await viewer.get(path)).body.data).toEqual({
      ...{ isOn: false, timeZone: 'UTC', nextAt: null, address: viewer.email, obstacle: null },
    });
    const { status, body } = await switchOn();
    expect([status, body.data]).toEqual([
      200,
      {
        isOn: true,
        timeZone: 'Europe/Berlin',
        nextAt: '2026-11-23T07:00:00.000Z',
        address: viewer.email,
        obstacle: null,
      },
    ]);
    expect((await member.get(path)).body.data.isOn).toBe(false);
    expect((await viewer.put(path, { isOn: false })).body.data).toMatchObject({ isOn: false, nextAt: null });
  });

  it('refuses a time zone that there is not, and an account of a program', async () => {
    const refused = await team.viewer.put(path, { isOn: true, timeZone: 'Mars/Olympus' });
    expect([refused.status, refused.body.errors[0].message]).toEqual([400, expect.stringContaining('Europe/Berlin')]);
    const program = await t.tenant();
    const { status, body } = await program.put(path, { isOn: true });
    expect([status, body.errors[0].errorCode]).toEqual([409, 'INVALID_STATE']);
    expect(body.errors[0].message).toContain('only people');
    expect((await program.get(path)).body.data).toMatchObject({ address: null, obstacle: 'noAddress' });
  });
});

describe('the summary', () => {
  it('leaves on Monday at 8:00 with the figures of the week, and not again before the next', async () => {
    const { viewer, tenantId } = team;
    await t.admin.patch(`/admin/tenants/${tenantId}`, { name: 'Acme' });
    await seedFigures(t, team.program, 't', {
      '2026-11-10T10:00:00Z': { sent: 1000, delivered: 1000 },
      '2026-11-16T10:00:00Z': { sent: 1500, delivered: 1200, uniqueOpened: 300, hardBounced: 3 },
      // After the week.
      '2026-11-23T05:00:00Z': { sent: 7000 },
    });
    await switchOn();
    now = Date.parse('2026-11-23T06:59:59.999Z');
    await work();
    expect(mailbox.countTo(viewer.email)).toBe(0);
    now++;
    await work();
    await work();
    expect(mailbox.countTo(viewer.email)).toBe(1);
    const mail = await mailbox.mailTo(viewer.email);
    expect(mail.subject).toBe('Acme: your week from 16 – 22 November 2026');
    expect(mail.text).toContain('Sent: 1,500 (+50% vs. the week before)');
    expect(mail.text).toContain('Delivered: 1,200 (80%, +20% vs. the week before)');
    expect(mail.text).toContain('Opened: 300 (25%, none in the week before)');
    expect(mail.text).toContain('Complaints: 0 (same as the week before)');
    expect(mail.html).toContain('<strong>1,500</strong>');
    expect(linkIn(mail)).toBe('/console/reports?period=custom&from=2026-11-16&to=2026-11-22');
    now = Date.parse('2026-11-30T07:00:00.000Z');
    await work();
    expect(mailbox.countTo(viewer.email)).toBe(2);
    expect((await viewer.get(path)).body.data.nextAt).toBe('2026-12-07T07:00:00.000Z');
  });

  it('that cannot be made holds up no other', async () => {
    await switchOn();
    await switchOn(team.member);
    const { tenantId } = team;
    // Earlier than the other, and in a time zone that this process does not know.
    await t.db.run(sql`
      update weekly_summary set time_zone = 'Mars/Olympus', next_at = next_at - interval '1 hour'
      where tenant_id = ${tenantId} and account_id = (select min(account_id) from weekly_summary where tenant_id = ${tenantId})`);
    now = Date.parse('2026-11-23T07:00:00.000Z');
    await sendSummaries(needs(), undefined, 1);
    const queued = sql<{ n: number }>`select count(*)::int as n from account_mail where tenant_id = ${tenantId}`;
    expect((await t.db.row(queued))?.n).toBe(1);
  });

  it('is queued once, however many workers do so at the same time', async () => {
    await switchOn();
    now = Date.parse('2026-11-23T07:00:00.000Z');
    await Promise.all([1, 2, 3, 4].map(() => sendSummaries(needs())));
    await work();
    expect(mailbox.countTo(team.viewer.email)).toBe(1);
  });

  it('waits if a worker is killed before it was queued, and leaves once', async () => {
    await switchOn();
    now = Date.parse('2026-11-23T07:00:00.000Z');
    const killed = mailer();
    killed.enqueue = () => Promise.reject(new Error('killed'));
    await sendSummaries(needs(killed));
    expect((await team.viewer.get(path)).body.data.nextAt).toBe('2026-11-23T07:00:00.000Z');
    await work();
    expect(mailbox.countTo(team.viewer.email)).toBe(1);
  });

  it('tells only of the last week after the service was away for three', async () => {
    await switchOn();
    now = Date.parse('2026-12-09T12:00:00.000Z');
    await work();
    await work();
    expect(mailbox.countTo(team.viewer.email)).toBe(1);
    const { subject, text } = await mailbox.mailTo(team.viewer.email);
    expect(subject).toContain('30 November – 6 December 2026');
    expect(text).toContain('Nothing was sent, opened or clicked');
  });

  it('waits while there is no mail server', async () => {
    await switchOn();
    now = Date.parse('2026-11-23T07:00:00.000Z');
    await sendSummaries(needs(mailer(outboxTransport(async () => undefined))));
    expect((await team.viewer.get(path)).body.data.nextAt).toBe('2026-11-23T07:00:00.000Z');
  });

  it('ends when the account is deactivated, also if it is active again later', async () => {
    const { viewer, tenantId } = team;
    await switchOn();
    const setDeactivated = (at: string | null) =>
      t.db.run(sql`
        update account set deactivated_at = ${at}::timestamptz where tenant_id = ${tenantId} and account_id = ${viewer.accountId}`);
    await setDeactivated('2026-11-20T00:00:00Z');
    now = Date.parse('2026-11-23T07:00:00.000Z');
    await work();
    await setDeactivated(null);
    await work();
    expect(mailbox.countTo(viewer.email)).toBe(0);
    expect((await viewer.get(path)).body.data.isOn).toBe(false);
  });
});

describe('the link at its end', () => {
  const stopLink = (text = '') => /http:\/\/rapport\.test(\/weekly-summary\/stop\S+)/.exec(text)?.[1] ?? '';

  it('shows a button, and ends it only when that is pressed', async () => {
    const { viewer } = team;
    await switchOn();
    now = Date.parse('2026-11-23T07:00:00.000Z');
    await work();
    const link = stopLink((await mailbox.mailTo(viewer.email)).text);
    const page = await t.anonymous.get(link);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(viewer.email)]);
    expect((await viewer.get(path)).body.data.isOn).toBe(true);
    const token = link.slice(link.indexOf('=') + 1);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const _twice of [1, 2]) {
      const ended = await t.anonymous.post('/weekly-summary/stop', `token=${token}`, form);
      expect([ended.status, ended.text]).toEqual([200, expect.stringContaining('is off')]);
    }
    expect((await viewer.get(path)).body.data.isOn).toBe(false);
  });

  it.each(['', '?token=', '?token=AAAA', `?token=${'A'.repeat(200)}`])(
    'is unknown without a token that we made: %j',
    async (query) => {
      const { status, text } = await t.anonymous.get(`/weekly-summary/stop${query}`);
      expect([status, text]).toEqual([404, expect.stringContaining('doesn’t work')]);
    },
  );
});
