// The queue of account mail against a real mail server that says what the test wants.
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { openMailbox } from '../../../../test/mailbox.js';
import { sql } from '../../../db/sql.js';
import { systemClock } from '../../../lib/clock.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';
import { outboxTransport } from '../../../mail/outbox.js';
import { unwatched } from '../../../work/queue.js';
import { AccountMail, type AccountMailNeeds } from './account-mail.js';
import { resetLetter } from './letters.js';
import { claimMails } from './queries.js';

const t = useApp();
let rcpt: string | undefined;
const mailbox = await openMailbox({ reply: (command) => (command.startsWith('RCPT') ? rcpt : undefined) });
const box = new SecretBox(randomBytes(32));
const logged: string[] = [];
const link = 'http://rapport.test/oauth/reset?token=secret-of-the-link';
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
let tenantId = 0;
let address = '';
let count = 0;

beforeEach(async () => {
  rcpt = undefined;
  logged.length = 0;
  ({ tenantId } = await t.tenant());
  address = `somebody-${++count}@example.com`;
});
afterAll(async () => {
  mailbox.transport.close();
  await mailbox.server.close();
});

function accountMail(over: Partial<AccountMailNeeds> = {}): AccountMail {
  return new AccountMail({
    ...{ db: t.db, clock: systemClock, box, baseUrl: () => 'http://rapport.test', wake: () => undefined },
    ...{ transport: mailbox.transport, log: pino({}, { write: (line: string) => logged.push(line) }) },
    ...over,
  });
}

const enqueue = (mail: AccountMail, usefulUntil = inAnHour()) =>
  t.db.transaction((tx) => mail.enqueue(tx, tenantId, address, resetLetter(link, usefulUntil)));

const serve = (mail: AccountMail) => mail.queues[0]?.serve(tenantId, unwatched, new AbortController().signal);

interface Row {
  attempts: number;
  lastError: string | null;
  waits: boolean;
}
const rows = () =>
  t.db.rows(sql<Row>`
    select attempts, last_error as "lastError", due_at > now() as waits from account_mail where tenant_id = ${tenantId}`);
// The column is rounded to milliseconds: now() itself may be in the future.
const makeDue = () =>
  t.db.run(sql`update account_mail set due_at = now() - interval '1 ms' where tenant_id = ${tenantId}`);

describe('account mail', () => {
  it('leaves as text and HTML, from an address that reads no replies, and its row goes', async () => {
    const mail = accountMail();
    expect(await enqueue(mail)).toBe(true);
    expect((await mail.queues[0]?.due())?.tenants).toContain(tenantId);
    expect(await serve(mail)).toBe(1);
    const got = await mailbox.mailTo(address);
    expect(got.from).toEqual({ name: 'Rapport', address: 'no-reply@rapport.test' });
    expect(got.subject).toBe('Set a new password for Rapport');
    expect(got.text?.split('\n').map((line) => line.trim())).toContain(link);
    expect(got.html).toContain(`<a href="${link}">`);
    expect(got.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
    expect(await rows()).toEqual([]);
  });

  it.each([
    [{ from: 'people@acme.example' }, 'people@acme.example'],
    [{ mailHost: 'mail.acme.example' }, 'no-reply@mail.acme.example'],
    [{ baseUrl: () => 'http://[::1]:8080' }, 'no-reply@localhost'],
    [{ baseUrl: () => 'http://127.0.0.1:8080' }, 'no-reply@127.0.0.1'],
  ])('is from whom the settings say: %j', async (over, expected) => {
    const mail = accountMail(over);
    await enqueue(mail);
    await serve(mail);
    expect((await mailbox.mailTo(address)).from).toMatchObject({ address: expected });
  });

  it('is not queued without a mail server', async () => {
    const mail = accountMail({ transport: outboxTransport(async () => undefined) });
    expect([mail.isOn, await enqueue(mail), mail.queues.length]).toEqual([false, false, 0]);
    expect(await rows()).toEqual([]);
  });

  it('is not queued if the change it is about was rolled back', async () => {
    const failing = t.db.transaction(async (tx) => {
      await accountMail().enqueue(tx, tenantId, address, resetLetter(link, inAnHour()));
      throw new Error('not this time');
    });
    await expect(failing).rejects.toThrow('not this time');
    expect(await rows()).toEqual([]);
  });

  it('hides its link from readers of the database', async () => {
    await enqueue(accountMail());
    const row = await t.db.row(sql<{ text: string }>`
      select encode(sealed, 'escape') as text from account_mail where tenant_id = ${tenantId}`);
    expect(row?.text).toBeTruthy();
    expect(row?.text).not.toContain('secret-of-the-link');
    expect(row?.text).not.toContain('password');
  });

  it('is tried again later if the mail server says so, and then leaves', async () => {
    rcpt = '451 4.3.0 Come back later';
    const mail = accountMail();
    await enqueue(mail);
    await serve(mail);
    const [row] = await rows();
    expect(row).toMatchObject({ attempts: 1, waits: true });
    expect(row?.lastError).toContain('451');
    expect(row?.lastError).not.toContain(address);
    expect(await serve(mail)).toBe(0);
    rcpt = undefined;
    await makeDue();
    expect(await serve(mail)).toBe(1);
    expect(mailbox.countTo(address)).toBe(1);
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['refuses it for good', '550 5.1.1 No such user', undefined],
    ['has not taken it for a day', '451 4.3.0 Later', '25 hours'],
  ])('is given up where the mail server %s, and the log says so without the address', async (_what, reply, age) => {
    rcpt = reply;
    const mail = accountMail();
    await enqueue(mail, new Date(Date.now() + 7 * 86_400_000).toISOString());
    if (age) await t.db.run(sql`update account_mail set queued_at = now() - ${age}::interval`);
    await serve(mail);
    expect(await rows()).toEqual([]);
    expect(logged.join()).toContain('an account mail was given up');
    expect(logged.join()).not.toContain(address);
    expect(logged.join()).not.toContain('secret-of-the-link');
  });

  it('is not sent once its link has expired', async () => {
    const mail = accountMail();
    await enqueue(mail, new Date(Date.now() - 1000).toISOString());
    await serve(mail);
    expect(mailbox.countTo(address)).toBe(0);
    expect(await rows()).toEqual([]);
    expect(logged.join()).toContain('expired');
  });

  it('held by a killed process comes back, and no other process has it until then', async () => {
    const mail = accountMail();
    await enqueue(mail);
    expect(await claimMails(t.db, tenantId, 5, 60)).toHaveLength(1);
    expect(await serve(mail)).toBe(0);
    expect(await rows()).toMatchObject([{ attempts: 1, waits: true }]);
    await makeDue();
    expect(await serve(mail)).toBe(1);
    expect(mailbox.countTo(address)).toBe(1);
  });

  it('leaves once when many workers take it at the same time', async () => {
    const mail = accountMail();
    for (let i = 0; i < 3; i++) await enqueue(mail);
    await Promise.all([1, 2, 3, 4].map(() => serve(accountMail())));
    expect(mailbox.countTo(address)).toBe(3);
  });

  it('waits, and logs it, when this process lacks the key that sealed it', async () => {
    await enqueue(accountMail());
    await serve(accountMail({ box: new SecretBox(randomBytes(32)) }));
    const [row] = await rows();
    expect(row?.lastError).toContain('SECRET_KEY');
    expect(mailbox.countTo(address)).toBe(0);
  });

  it('is reported among the work, without addresses', async () => {
    await enqueue(accountMail());
    const waiting = await accountMail().queues[0]?.waiting(t.db);
    const own = waiting?.filter((each) => each.tenantId === tenantId);
    expect(own).toMatchObject([{ kind: 'account-mail', count: 1, attempts: 0, lastError: null, dueAt: null }]);
    expect(JSON.stringify(own)).not.toContain(address);
  });
});
