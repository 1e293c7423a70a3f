// What people say while a prepared mail waits for a connection, or for its next attempt, and what is paused or stopped meanwhile.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeTopic } from '../../../../test/consent.js';
import { eventually, type Mailer, type MailServer, makeMailer, startMailServer } from '../../../../test/messages.js';
import { sql } from '../../../db/sql.js';
import { newAssetId, newMessageUuid } from '../../../lib/ids.js';
import { smtpTransport } from '../../../mail/smtp.js';
import type { Transport } from '../../../mail/transport.js';
import { deletePause, insertPause } from '../health/queries.js';
import { skipJourneyMessages } from '../of-journeys/hold-journeys.js';
import { holdJourney, releaseJourney } from '../of-journeys/queries.js';
import { queueJourneyMessages } from '../of-journeys/queue-messages.js';

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

describe('a mail of a journey that is ready and waits for a connection', () => {
  const waitFor = async (name: string, journeyId: string) => {
    const contactId = await mailer.contact(`${name}@example.com`);
    const now = new Date().toISOString();
    const messageId = newMessageUuid();
    const message = {
      ...{ messageId, kind: 'journey' as const, emailId: mailer.emailId, contactId, journeyId, runId: null },
      ...{ enrolmentId: newMessageUuid(), stepId: 'a', visit: 1, words: null, dueAt: now, cap: null, skipped: null },
    };
    await t.db.transaction((tx) => queueJourneyMessages(tx, mailer.tenantId, [message], now));
    await mailer.until(messageId, 'sending');
    return messageId;
  };

  it('waits when its journey, or sending, is paused meanwhile, and is skipped when the journey is stopped', async () => {
    held = undefined;
    const [paused, stopped, others] = [newAssetId(), newAssetId(), newAssetId()];
    const first = await waitFor('first', others);
    await eventually(
      async () => held,
      (address) => address === 'first@example.com',
    );
    const ids = [await waitFor('p', paused), await waitFor('s', stopped), await waitFor('o', others)];
    await t.db.transaction(async (tx) => {
      await holdJourney(tx, mailer.tenantId, paused);
      await skipJourneyMessages(tx, mailer.tenantId, stopped, 'journeyStopped', 10);
      await insertPause(tx, mailer.tenantId, 'too many bounces', new Date().toISOString());
    });
    later += 200;
    letGo();
    await mailer.until(first, 'sent');
    const [p, s, o] = ids as [string, string, string];
    expect(await mailer.until(s, 'sent', 'skipped')).toMatchObject({ state: 'skipped', reason: 'journeyStopped' });
    expect(await mailer.until(o, 'sent', 'queued')).toMatchObject({ state: 'queued' });
    expect(await mailer.until(p, 'sent', 'queued')).toMatchObject({ state: 'queued' });
    await t.db.transaction((tx) => deletePause(tx, mailer.tenantId));
    await mailer.until(o, 'sent');
    expect((await mailer.message(p)).state).toBe('queued');
    await t.db.transaction((tx) => releaseJourney(tx, mailer.tenantId, paused));
    await mailer.until(p, 'sent');
    expect(server.mails.filter(({ to }) => to === 's@example.com')).toEqual([]);
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
