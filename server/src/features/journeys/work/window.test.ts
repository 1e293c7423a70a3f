// Mail of journeys leaves inside their windows: also what is tried again, and what had to wait in the queue until they closed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { startJourney, untilEnrolment } from '../../../../test/enrolments.js';
import { eventually, type Mailer, type MailServer, makeMailer, startMailServer } from '../../../../test/messages.js';
import { sql } from '../../../db/sql.js';
import { smtpTransport } from '../../../mail/smtp.js';

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());
const t = useApp(() => ({ work: true, transport: smtpTransport(server.url) }));
let mailer: Mailer;
beforeAll(async () => {
  mailer = await makeMailer(t);
});

// Whole hours of the hour in which this began: also when the next one begins meanwhile.
const began = new Date();
const hourAt = (hours: number) => `${String((began.getUTCHours() + hours + 24) % 24).padStart(2, '0')}:00`;
const windowOf = (from: number, to: number) => ({ from: hourAt(from), to: hourAt(to), timeZone: 'UTC' });
const open = () => windowOf(-1, 3);
const closed = () => windowOf(4, 5);
const opensAt = (hours: number) => {
  const at = new Date(began);
  at.setUTCHours(at.getUTCHours() + hours, 0, 0, 0);
  return at.toISOString();
};

let made = 0;
const stay = { id: 'stay', type: 'delay', for: 'P1D' };
const definitionOf = (window: object, more: object = {}) => ({
  entry: { api: true },
  steps: [{ id: 'mail', type: 'sendEmail', emailId: mailer.emailId, ...more }, stay],
  window,
});

/** A contact to whom a journey with this window has queued a message. */
async function queued(window: object, more: object = {}) {
  const email = `w${++made}@x.io`;
  const contactId = await mailer.contact(email);
  const journeyId = await startJourney(mailer, definitionOf(window, more));
  await mailer.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [contactId] });
  const stands = ({ stepId, dueAt }: { stepId: string | null; dueAt: string | null }) =>
    stepId === 'stay' && dueAt !== null;
  await untilEnrolment(mailer, journeyId, stands);
  const message = async () => (await mailer.get(`/v2/messages?journeyId=${journeyId}`)).body.data[0];
  const { messageId } = await message();
  const edit = async (to: object, inFlight: string) => {
    const { revision } = (await mailer.get(`/v2/journeys/${journeyId}`)).body.data;
    const body = { definition: definitionOf(to, more), inFlight };
    const reply = await mailer.patch(`/v2/journeys/${journeyId}`, body, { 'if-match': String(revision) });
    expect(reply.status, reply.text).toBe(200);
    if (inFlight === 'move') await untilEnrolment(mailer, journeyId, (one) => one.version === 2 && stands(one));
  };
  return { email, journeyId, messageId, message, edit };
}

/** As if it had been in the queue for so long: it is due, and the worker takes it. */
async function isDue(messageId: string): Promise<void> {
  await t.db.run(sql`
    update message set due_at = now() - interval '1 hour' where tenant_id = ${mailer.tenantId} and message_id = ${messageId}`);
}
const dueAtOf = async (messageId: string) =>
  (await t.db.row(sql<{ dueAt: string; state: string }>`
    select due_at as "dueAt", state from message where tenant_id = ${mailer.tenantId} and message_id = ${messageId}`)) ?? {
    dueAt: '',
    state: '',
  };
const waitsUntil = async (messageId: string, at: string) =>
  expect(
    await eventually(
      () => dueAtOf(messageId),
      ({ dueAt, state }) => state === 'queued' && dueAt > new Date().toISOString(),
    ),
  ).toEqual({ state: 'queued', dueAt: at });

it('what stood in the queue until the window closed waits for its next start', async () => {
  const { messageId, email } = await queued(closed());
  await isDue(messageId);
  await waitsUntil(messageId, opensAt(4));
  expect(server.to(email)).toEqual([]);
});

it('what is tried again leaves inside the window, which is that of the contact’s version', async () => {
  server.refuse = () => ({ code: 451, text: '4.7.1 later' });
  const { messageId, email, edit } = await queued(open());
  await eventually(
    async () => (await mailer.message(messageId)).attempts.length,
    (attempts) => attempts > 0,
  );
  await edit(closed(), 'move');
  await isDue(messageId);
  await waitsUntil(messageId, opensAt(4));
  server.refuse = () => undefined;
  // Who finishes the version with the closed window does not leave by that of the next one.
  await edit(open(), 'finish');
  await isDue(messageId);
  await waitsUntil(messageId, opensAt(4));
  expect(server.to(email)).toEqual([]);
});

it('transactional mail passes over the window, however late it is', async () => {
  const { messageId, email } = await queued(closed(), { transactional: true });
  await mailer.until(messageId, 'sent');
  expect(server.to(email)).toHaveLength(1);
});

it('a journey that is over still has its window', async () => {
  const email = `w${++made}@x.io`;
  const contactId = await mailer.contact(email);
  const { staticListId } = (await mailer.post('/v2/lists', { name: 'Batch' })).body.data;
  await mailer.post(`/v2/lists/${staticListId}/members`, { contactIds: [contactId] });
  const { steps, window } = definitionOf(closed());
  const definition = { entry: { audience: { staticListId } }, steps: steps.slice(0, 1), window };
  const journeyId = await startJourney(mailer, definition, 'batch');
  await eventually(
    async () => (await mailer.get(`/v2/journeys/${journeyId}`)).body.data.status,
    (status) => status === 'inactive',
  );
  const { messageId } = (await mailer.get(`/v2/messages?journeyId=${journeyId}`)).body.data[0];
  await isDue(messageId);
  await waitsUntil(messageId, opensAt(4));
  expect(server.to(email)).toEqual([]);
});
