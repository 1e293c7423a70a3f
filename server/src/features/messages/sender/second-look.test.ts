// What people say while a prepared mail waits for a connection, or for its next attempt.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeTopic } from '../../../../test/consent.js';
import { eventually, type Mailer, type MailServer, makeMailer, startMailServer } from '../../../../test/messages.js';
import { sql } from '../../../db/sql.js';
import { smtpTransport } from '../../../mail/smtp.js';
import type { Transport } from '../../../mail/transport.js';

let server: MailServer;
let smtp: Transport;
let mailer: Mailer;
let topicId = '';
let later = 0;
/** The first recipient, whose mail holds the only connection until it is let go. */
let held: string | undefined;
let letGo = () => undefined as unknown;
const t = useApp({
  work: true,
  clock: { now: () => new Date(), elapsed: () => performance.now() + later },
  messages: { lane: { rate: null, connections: 1, perDomain: 1 } },
  transport: { name: 'smtp', send: (message, stored) => smtp.send(message, stored), close: () => undefined },
});
beforeAll(async () => {
  server = await startMailServer({
    onRcptTo: ({ address }, _session, done) => {
      const refusal = server.refuse(address, 'rcpt');
      if (refusal) return done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
      if (held !== undefined) return done();
      held = address;
      letGo = () => done();
    },
  });
  smtp = smtpTransport(server.url);
  mailer = await makeMailer(t);
  topicId = await makeTopic(mailer, 'News', { byDefault: 'subscribed' });
  await mailer.patch(`/v2/emails/${mailer.emailId}`, { topicId });
});
afterAll(async () => {
  smtp.close();
  await server.close();
});
const leave = (contactId: string) =>
  mailer.put(`/v2/contacts/${contactId}/topics/${topicId}`, { state: 'unsubscribed' });

describe('a mail that is ready and waits for a connection', () => {
  it('does not leave to a person who says no meanwhile', async () => {
    const addresses = ['a', 'b', 'c', 'd'].map((name) => `${name}@example.com`);
    const contactOf = new Map<string, string>();
    for (const address of addresses) contactOf.set(address, await mailer.contact(address));
    const { emailId } = mailer;
    const messages = addresses.map((email) => ({ emailId, email }));
    const { data } = (await mailer.post('/v2/messages/batch', { messages })).body;
    const idOf = new Map(addresses.map((address, i) => [address, data.results[i].messageId as string]));
    await eventually(
      async () => held,
      (address) => address !== undefined,
    );
    // They were claimed and prepared together: all of them wait for the first.
    for (const id of idOf.values()) expect((await mailer.message(id)).state).toBe('sending');
    const [left, gone, stays] = addresses.filter((address) => address !== held) as [string, string, string];
    await leave(contactOf.get(left) as string);
    await mailer.put(`/v2/suppressions/${gone}`, { reason: 'unsubscribed' });
    later += 200;
    letGo();
    const outcomeOf = async (address: string) => {
      const { state, reason } = await mailer.until(idOf.get(address) as string, 'sent', 'skipped');
      return state === 'skipped' ? reason : state;
    };
    expect([await outcomeOf(left), await outcomeOf(gone), await outcomeOf(stays)]).toEqual([
      ...['topic', 'unsubscribed', 'sent'],
    ]);
    expect(server.mails.map(({ to }) => to).sort()).toEqual([held, stays].sort());
  });
});

describe('a mail that the mail server put off', () => {
  it('does not leave at its next attempt to a person who says no meanwhile', async () => {
    const contactId = await mailer.contact('busy@example.com');
    server.refuse = (to) => (to === 'busy@example.com' ? { code: 451, text: 'Try later' } : undefined);
    const messageId = await mailer.queue({ contactId });
    await eventually(
      () => mailer.message(messageId),
      ({ attempts, state }) => attempts.length === 1 && state === 'queued',
    );
    server.refuse = () => undefined;
    await leave(contactId);
    await t.db.run(sql`update message set due_at = now() where message_id = ${messageId}`);
    expect(await mailer.until(messageId, 'sent', 'skipped')).toMatchObject({ state: 'skipped', reason: 'topic' });
    expect(server.to('busy@example.com')).toEqual([]);
  });
});
