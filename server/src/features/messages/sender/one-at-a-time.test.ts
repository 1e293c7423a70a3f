// What a crash can repeat: messages that a mail server accepted but the ledger does not show as sent. Observed from the mail server,
// at the moments when a connection starts its next message.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { eventually, type Mailer, type MailServer, makeMailer, startMailServer } from '../../../../test/messages.js';
import { sql } from '../../../db/sql.js';
import { smtpTransport } from '../../../mail/smtp.js';
import type { Transport } from '../../../mail/transport.js';

let server: MailServer;
let smtp: Transport;
let mailer: Mailer;
const t = useApp({
  work: true,
  transport: { name: 'smtp', send: (message, stored) => smtp.send(message, stored), close: () => undefined },
});

/** The recipient of the last message on each connection. */
const last = new Map<string, string>();
const begun: { after: string; state: string | undefined }[] = [];

beforeAll(async () => {
  server = await startMailServer({
    onMailFrom: async (_address, { id }, done) => {
      const after = last.get(id);
      if (after !== undefined) begun.push({ after, state: await stateOf(after) });
      done();
    },
    onRcptTo: ({ address }, { id }, done) => {
      last.set(id, address);
      done();
    },
  });
  smtp = smtpTransport(server.url);
  mailer = await makeMailer(t);
});
afterAll(async () => {
  smtp.close();
  await server.close();
});

async function stateOf(address: string): Promise<string | undefined> {
  const row = await t.db.row(sql<{ state: string }>`
    select state from message where tenant_id = ${mailer.tenantId} and address = ${address}`);
  return row?.state;
}

it('starts no message on a connection before the ledger has the outcome of the previous one', async () => {
  const messages = Array.from({ length: 200 }, (_, i) => ({ emailId: mailer.emailId, email: `n${i}@d${i % 20}.test` }));
  await mailer.done(await mailer.post('/v2/contacts/batch', { contacts: messages.map(({ email }) => ({ email })) }));
  expect((await mailer.post('/v2/messages/batch', { messages })).status).toBe(200);
  await eventually(
    async () => server.mails.length,
    (n) => n === messages.length,
  );
  expect(begun.length).toBeGreaterThan(100);
  expect(begun.filter(({ state }) => state !== 'sent')).toEqual([]);
});
