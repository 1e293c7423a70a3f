// The specification's rules on what a contact gets at send time, as a mail server sees it: of messages of journeys and of others.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { startJourney } from '../../../test/enrolments.js';
import { eventually, type Mailer, type MailServer, makeMailer, startMailServer } from '../../../test/messages.js';
import { sql } from '../../db/sql.js';
import { smtpTransport } from '../../mail/smtp.js';

let server: MailServer;
let mailer: Mailer;
// Said first, so that it comes last: what sends is closed before.
afterAll(() => server.close());
const t = useApp({
  work: true,
  connectTransport: (smtpUrl, maxConnections) => Promise.resolve(smtpTransport(smtpUrl, { maxConnections })),
});
beforeAll(async () => {
  server = await startMailServer();
  mailer = await makeMailer(t, {
    subject: 'The default',
    html: '<p>For everybody</p><a href="{{unsubscribe_url}}">Unsubscribe</a>',
  });
  await t.admin.put(`/admin/tenants/${mailer.tenantId}/transport`, { smtpUrl: server.url });
});

const link = '<a href="{{unsubscribe_url}}">Unsubscribe</a>';
const store = (email: string, rest: object = {}) =>
  mailer.post('/v1/email-versions', {
    ...{ assetId: mailer.emailId, email, subject: `Only for ${email}`, preheader: 'Look', html: `<p>Yours</p>${link}` },
    ...rest,
  });
const instant = (inMs: number) => new Date(Date.now() + inMs).toISOString();
const arrived = async (email: string, count = 1) => {
  const mails = await eventually(
    async () => server.to(email),
    (found) => found.length >= count,
  );
  return mails.map(({ mail }) => [mail.subject, mail.html?.includes('Yours') ? 'version' : 'default']);
};

describe('a journey sends', () => {
  let people = 0;
  /** The mail that somebody gets who enters now. */
  async function enters(prepare: (email: string) => Promise<unknown>) {
    const email = `j${++people}@x.io`;
    const contactId = await mailer.contact(email);
    await prepare(email);
    const steps = [{ id: 'mail', type: 'sendEmail', emailId: mailer.emailId }];
    const journeyId = await startJourney(mailer, { entry: { api: true }, steps });
    expect((await mailer.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [contactId] })).status).toBe(200);
    const [mail] = await arrived(email);
    const [message] = await eventually(
      async () => (await mailer.get(`/v2/messages?contactId=${contactId}`)).body.data,
      ([first]) => first.state === 'sent',
    );
    return { email, mail, version: message.version };
  }

  it('a contact its version if it is ready', async () => {
    const { email, mail, version } = await enters((address) => store(address));
    expect([mail, version]).toEqual([[`Only for ${email}`, 'version'], 'personalized']);
  });

  it('the newest where a version was replaced', async () => {
    const { mail } = await enters(async (address) => {
      await store(address);
      await store(address, { subject: 'Again' });
    });
    expect(mail).toEqual(['Again', 'version']);
  });

  it('the default to a contact without a version', async () => {
    const { mail, version } = await enters(() => Promise.resolve());
    expect([mail, version]).toEqual([['The default', 'default'], 'default']);
  });

  it.each([
    ['without the link to unsubscribe', { html: '<p>Yours</p>' }],
    ['with another token', { html: `<p>Yours {{first_name}}</p>${link}` }],
    ['of more than 500 KB', { html: `<p>Yours</p>${link}${' '.repeat(512_000)}` }],
  ])('the default where a version %s was rejected', async (_what, rest) => {
    const { mail } = await enters(async (address) => expect((await store(address, rest)).status).toBe(400));
    expect(mail).toEqual(['The default', 'default']);
  });

  it('the default after expiresAt', async () => {
    const { mail } = await enters((address) => store(address, { expiresAt: instant(-1) }));
    expect(mail).toEqual(['The default', 'default']);
  });

  it('the version while expiresAt is ahead', async () => {
    const { mail } = await enters((address) => store(address, { expiresAt: instant(3_600_000) }));
    expect(mail?.[1]).toBe('version');
  });
});

describe('a message that waited is made at the moment it leaves', () => {
  /** Queued for later; `meanwhile` happens; and its time has come. */
  async function waits(email: string, meanwhile: () => Promise<unknown>) {
    const messageId = await mailer.queue({ email, sendAt: instant(3_600_000) });
    await meanwhile();
    await t.db.run(sql`
      update message set due_at = now() where tenant_id = ${mailer.tenantId} and message_id = ${messageId}`);
    return arrived(email);
  }

  it('with a version that was stored meanwhile', async () => {
    await mailer.contact('later@x.io');
    expect(await waits('later@x.io', () => store('later@x.io'))).toEqual([['Only for later@x.io', 'version']]);
  });

  it('without a version that expired meanwhile', async () => {
    await mailer.contact('over@x.io');
    const expiresAt = instant(300);
    await store('over@x.io', { expiresAt });
    const expired = async () => {
      while (instant(0) <= expiresAt) await sleep(10);
    };
    expect(await waits('over@x.io', expired)).toEqual([['The default', 'default']]);
  });

  it('without a version that was deleted meanwhile', async () => {
    await mailer.contact('gone@x.io');
    await store('gone@x.io');
    const query = `assetId=${mailer.emailId}&email=gone@x.io`;
    const deleted = async () => expect((await mailer.delete(`/v2/email-versions?${query}`)).status).toBe(200);
    expect(await waits('gone@x.io', deleted)).toEqual([['The default', 'default']]);
  });

  it('with the version that a refused one did not replace', async () => {
    await mailer.contact('kept@x.io');
    await store('kept@x.io');
    expect((await store('kept@x.io', { html: '<p>Worse</p>' })).status).toBe(400);
    await mailer.queue({ email: 'kept@x.io' });
    const mails = await arrived('kept@x.io');
    expect(mails).toEqual([['Only for kept@x.io', 'version']]);
  });
});
