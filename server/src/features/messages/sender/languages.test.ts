// Which language a message is sent in, from the contact's properties to the inbox of a real mail server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { designBody, designOf, paragraph } from '../../../../test/designed-emails.js';
import { makeEmail } from '../../../../test/emails.js';
import { makeActive } from '../../../../test/journeys.js';
import { eventually, type Mailer, type MailServer, makeMailer, startMailServer } from '../../../../test/messages.js';
import { smtpTransport } from '../../../mail/smtp.js';
import type { Message, Transport } from '../../../mail/transport.js';
import { recountMessages } from '../index.js';

let server: MailServer;
let smtp: Transport;
const t = useApp({
  work: true,
  transport: { name: 'smtp', send: (message: Message) => smtp.send(message), close: () => undefined },
});
let mailer: Mailer;
const footer = '<a href="{{unsubscribe_url}}">-</a> <a href="{{view_url}}">view</a>';
const own = { subject: 'Hello {{first_name}}', preheader: 'Read on', html: `<p>Hello</p>${footer}` };
const de = { subject: 'Hallo {{first_name}}', preheader: 'Lies weiter', html: `<p>Guten Tag</p>${footer}` };
beforeAll(async () => {
  server = await startMailServer();
  smtp = smtpTransport(server.url);
  mailer = await makeMailer(t, { ...own, languages: { de, 'pt-BR': { subject: 'Olá' } } });
});
afterAll(async () => {
  smtp.close();
  await server.close();
});

let made = 0;
const person = async (properties: object) => {
  const address = `person${++made}@x.io`;
  return { address, contactId: await mailer.contact(address, { first_name: 'Ada', ...properties }) };
};
const inbox = async (address: string) => {
  const [caught] = await eventually(
    async () => server.to(address),
    (mails) => mails.length > 0,
  );
  return caught as NonNullable<typeof caught>;
};

describe('a message', () => {
  it.each([
    [{ language: 'de-AT' }, 'de', 'Hallo Ada', 'Guten Tag'],
    [{ locale: 'de_CH' }, 'de', 'Hallo Ada', 'Guten Tag'],
    [{ language: 'en', locale: 'de' }, undefined, 'Hello Ada', 'Hello'],
    [{ language: 'pt-BR' }, 'pt-BR', 'Olá', 'Hello'],
    [{}, undefined, 'Hello Ada', 'Hello'],
  ])('to somebody with %j is in the language %s', async (properties, language, subject, words) => {
    const { address, contactId } = await person(properties);
    const messageId = await mailer.queue({ contactId });
    const row = await mailer.until(messageId, 'sent');
    expect([row.language, row.subject]).toEqual([language, subject]);
    const { mail } = await inbox(address);
    expect(mail.subject).toBe(subject);
    expect(mail.html).toContain(words);
    expect(mail.text).toContain(words);
    const [listed] = (await mailer.get(`/v2/messages?contactId=${contactId}`)).body.data;
    expect(listed.language).toBe(language);
    const activity = await eventually(
      async () => (await mailer.get(`/v2/contacts/${contactId}/marketing-activity`)).body.data,
      (rows) => rows.length > 0,
    );
    expect(activity.map((row: object) => ('language' in row ? row.language : undefined))).toEqual([language]);
    const both = (await mailer.get(`/v2/contacts/${contactId}/activity`)).body.data;
    expect(both[0].language).toBe(language);
    const view = /href="([^"]+)">view/.exec(mail.html ?? '')?.[1] ?? '';
    const page = await t.app.http.inject({ url: new URL(view).pathname });
    expect(page.payload).toContain(words);
  });

  it('of one batch goes to each in their language, with what was edited meanwhile', async () => {
    const people = await Promise.all(['de', 'fr', 'pt-BR', 'de-CH'].map((language) => person({ language })));
    const sendAt = new Date(Date.now() + 1500).toISOString();
    const messages = people.map(({ contactId }) => ({
      emailId: mailer.emailId,
      contactId,
      sendAt,
      transactional: true,
    }));
    const { results } = (await mailer.post('/v2/messages/batch', { messages })).body.data;
    await mailer.patch(`/v2/emails/${mailer.emailId}`, { languages: { fr: { subject: 'Bonjour' } } });
    const rows = await Promise.all(
      results.map(({ messageId }: { messageId: string }) => mailer.until(messageId, 'sent')),
    );
    expect(rows.map(({ language, subject }) => [language, subject])).toEqual([
      ...[
        ['de', 'Hallo Ada'],
        ['fr', 'Bonjour'],
        ['pt-BR', 'Olá'],
        ['de', 'Hallo Ada'],
      ],
    ]);
    await mailer.patch(`/v2/emails/${mailer.emailId}`, { languages: { fr: null } });
  });

  it('of a journey is in the language of its contact', async () => {
    const { contactId } = await person({ language: 'de' });
    const definition = {
      entry: { api: true },
      steps: [
        { id: 'mail', type: 'sendEmail', emailId: mailer.emailId },
        { id: 'end', type: 'exit' },
      ],
    };
    const journeyId = await makeActive(mailer, { type: 'trigger', definition });
    await mailer.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [contactId] });
    const [row] = await eventually(
      async () => (await mailer.get(`/v2/messages?journeyId=${journeyId}&state=sent`)).body.data,
      (rows) => rows.length > 0,
    );
    expect(row).toMatchObject({ language: 'de', subject: 'Hallo Ada' });
  });

  it('takes the version of the contact, and the rest of its language', async () => {
    const { address, contactId } = await person({ language: 'de' });
    await mailer.post('/v2/email-versions', {
      ...{ assetId: mailer.emailId, email: address, html: '<p>Nur für dich</p>{{unsubscribe_url}}' },
    });
    const row = await mailer.until(await mailer.queue({ contactId }), 'sent');
    expect(row).toMatchObject({ version: 'personalized', language: 'de', subject: 'Hallo Ada' });
    expect((await inbox(address)).mail.html).toContain('Nur für dich');
  });

  it('from a design has the text part of that language', async () => {
    const body = designBody(designOf(paragraph('Hello')), {
      languages: { de: { design: designOf(paragraph('Servus')) } },
    });
    const { emailId } = (await mailer.post('/v2/emails', body)).body.data;
    const { address, contactId } = await person({ language: 'de' });
    await mailer.until(await mailer.queue({ emailId, contactId }), 'sent');
    const { mail } = await inbox(address);
    expect(mail.text).toContain('Servus');
    expect(mail.html).toContain('lang="de"');
  });

  it('that asks for confirmation never loses its link to a translation', async () => {
    const emailId = await makeEmail(mailer, {
      ...{ html: '<p>Confirm</p>{{confirm_url}}', languages: { de: { subject: 'Bitte', html: '<p>Ohne</p>' } } },
    });
    const { address, contactId } = await person({ language: 'de' });
    await mailer.until(await mailer.queue({ emailId, contactId, transactional: true }), 'sent');
    const { mail } = await inbox(address);
    expect([mail.subject, mail.html?.includes('Confirm')]).toEqual(['Bitte', true]);
    const topic = await mailer.post('/v2/topics', {
      name: 'News',
      byDefault: 'unsubscribed',
      doubleOptIn: true,
      confirmEmailId: emailId,
    });
    expect([topic.status, topic.body.errors[0].message]).toEqual([400, expect.stringContaining('in de')]);
  });
});

describe('a test', () => {
  it('is sent in the language of its contact, or the one that is asked for, and says so', async () => {
    const { contactId } = await person({ language: 'de' });
    const send = async (to: string, body: object) => {
      const { subject } = (await mailer.post(`/v2/emails/${mailer.emailId}/test-send`, { to, ...body })).body.data;
      const [row] = (await mailer.get(`/v2/messages?email=${to}`)).body.data;
      return [subject, row.kind, row.language];
    };
    expect(await send('one@x.io', { contactId })).toEqual(['Hallo Ada', 'test', 'de']);
    expect(await send('two@x.io', { contactId, language: 'en' })).toEqual(['Hello Ada', 'test', undefined]);
    expect(await send('three@x.io', { language: 'pt-BR' })).toEqual(['Olá', 'test', 'pt-BR']);
    expect(await send('four@x.io', { language: 'de', draft: { subject: 'Neu' } })).toEqual(['Neu', 'test', 'de']);
  });
});

describe('the statistics of an email', () => {
  it('tell its languages apart, and add up', async () => {
    const read = async (query = '') => (await mailer.get(`/v2/emails/${mailer.emailId}/stats${query}`)).body.data;
    const data = await read();
    const sent = Object.fromEntries(
      data.languages.map((row: { language: string; sent: number }) => [row.language, row.sent]),
    );
    const { total } = { total: data.sent };
    expect(Object.keys(sent)).toEqual(['null', 'de', 'fr', 'pt-BR']);
    expect(sent).toMatchObject({ fr: 1, 'pt-BR': 2 });
    expect(Object.values(sent as Record<string, number>).reduce((a, b) => a + b)).toBe(total);
    expect(data.languages[1].rates.deliveryRate).toBe(1);
    // Partial hours are counted from the messages.
    const exact = await read('?startTime=2020-01-01T00:00:00.001Z');
    expect(exact.languages).toEqual(data.languages);
    expect(await recountMessages(t.db, mailer.tenantId)).toEqual([]);
    const plain = await makeEmail(mailer);
    expect(Object.hasOwn((await mailer.get(`/v2/emails/${plain}/stats`)).body.data, 'languages')).toBe(false);
  });
});
