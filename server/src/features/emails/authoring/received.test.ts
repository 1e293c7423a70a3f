// What arrives by a real SMTP conversation is what the preview showed.
import { type Design, startingPoints } from '@rapport/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { designBody, designOf, paragraph } from '../../../../test/designed-emails.js';
import { rendered } from '../../../../test/designs/render.js';
import { eventually, type MailServer, makeMailer, startMailServer } from '../../../../test/messages.js';
import { smtpTransport } from '../../../mail/smtp.js';
import type { Message, Transport } from '../../../mail/transport.js';

let server: MailServer;
let smtp: Transport;
const t = useApp({
  work: true,
  transport: { name: 'smtp', send: (message: Message) => smtp.send(message), close: () => undefined },
});
beforeAll(async () => {
  server = await startMailServer();
  smtp = smtpTransport(server.url);
});
afterAll(async () => {
  smtp.close();
  await server.close();
});

const variable = { variable: 'first_name', default: 'friend' };
const design = designOf(
  {
    type: 'heading',
    level: 1,
    content: [{ type: 'paragraph', spans: [{ text: 'Grüße, ' }, variable, { text: ' {{ & <b>' }] }],
  },
  paragraph('Zeile 1 😀 שלום'),
  {
    type: 'button',
    label: ['Go, ', variable].map((it) => (typeof it === 'string' ? { text: it } : it)),
    href: 'https://example.com/a?b=1&c=2',
  },
  {
    type: 'if',
    filter: { property: 'plan', is: 'pro' },
    blocks: [paragraph('For pros')],
    else: [paragraph('For others')],
  },
);

/** Links lead elsewhere in mail that is tracked, and a picture counts opens. */
const withoutLinks = (html: string) =>
  html.replace(/<img src="[^"]*\/t\/o\/[^"]*"[^>]*>/, '').replace(/href="[^"]*"/g, 'href=""');

it('the html, links aside, and the text part is the one of the design', async () => {
  const mailer = await makeMailer(t);
  const saved = await mailer.patch(`/v2/emails/${mailer.emailId}`, { design });
  expect(saved.status, saved.text).toBe(200);
  for (const [email, plan, seen, unseen] of [
    ['ada@example.org', 'pro', 'For pros', 'For others'],
    ['bob@example.org', 'free', 'For others', 'For pros'],
  ] as const) {
    const contactId = await mailer.contact(email, { first_name: `${plan} <i>`, plan });
    const preview = await mailer.post(`/v2/emails/${mailer.emailId}/preview`, { contactId });
    await mailer.queue({ contactId });
    const [caught] = await eventually(
      async () => server.to(email),
      (mails) => mails.length > 0,
    );
    const { html = '', text = '' } = caught?.mail ?? {};
    // The parser ends every part with a line break.
    expect(withoutLinks(html.replace(/\n$/, ''))).toBe(withoutLinks(preview.body.data.html));
    expect([html.includes(seen), html.includes(unseen)]).toEqual([true, false]);
    expect(text).toContain(`${plan} <i> {{ & <b>`);
    expect([text.includes(seen), text.includes(unseen), text.includes('https://example.com/a?b=1&c=2')]).toEqual([
      true,
      false,
      true,
    ]);
  }
});

/** What a mail says of itself is not of the design. */
const withoutAddresses = (text: string) => text.replace(/https?:\/\/\S+\/t\/\S+/g, '<ours>').trim();

it.each(startingPoints)('$id arrives as the preview showed it, and its text as compiling said', async (point) => {
  const mailer = await makeMailer(t);
  const email = `${point.id}@example.org`;
  const { subject, preheader } = point;
  const made = (await point.load()) as Design;
  const saved = await mailer.post('/v2/emails', designBody(made, { subject, preheader }));
  expect(saved.status, saved.text).toBe(200);
  const { emailId } = saved.body.data;
  const contactId = await mailer.contact(email, { first_name: 'Zoë' });
  const preview = await mailer.post(`/v2/emails/${emailId}/preview`, { contactId });
  await mailer.queue({ emailId, contactId });
  const [caught] = await eventually(
    async () => server.to(email),
    (mails) => mails.length > 0,
  );
  const { html = '', text = '' } = caught?.mail ?? {};
  expect(caught?.mail.subject).toBe(preview.body.data.subject);
  // The preview has the preheader beside the html.
  const hidden = /<div style="display:none[^>]*>([^<]*)<\/div>/;
  expect(hidden.exec(html)?.[1]).toBe(preheader);
  expect(withoutLinks(html.replace(/\n$/, '').replace(hidden, ''))).toBe(withoutLinks(preview.body.data.html));
  const said = rendered(made, { to: { email, properties: { first_name: 'Zoë' } }, holds: () => false });
  expect(withoutAddresses(text)).toBe(withoutAddresses(said.text));
});

it('gives each person of a batch what is meant for them', async () => {
  const mailer = await makeMailer(t);
  const list = await mailer.post('/v2/lists', { name: 'Beta testers' });
  const { staticListId } = list.body.data;
  const condition = (filter: object, words: string, others: string) => ({
    ...{ type: 'if', filter, blocks: [paragraph(`${words} {{ not Liquid }}`)], else: [paragraph(others)] },
  });
  const batch = designOf(
    condition({ property: 'plan', is: 'pro' }, 'pays', 'tries'),
    condition({ staticListId }, 'tests', 'waits'),
    condition({ all: [{ property: 'seats', gte: 10 }, { none: [{ property: 'plan', is: 'free' }] }] }, 'many', 'few'),
  );
  const saved = await mailer.patch(`/v2/emails/${mailer.emailId}`, { design: batch });
  expect(saved.status, saved.text).toBe(200);
  const people = Array.from({ length: 8 }, (_, i) => ({
    email: `batch-${i}@example.org`,
    properties: { plan: i & 1 ? 'pro' : 'free', seats: i & 2 ? 12 : 3 },
    isTester: (i & 4) !== 0,
  }));
  const ids = [];
  for (const { email, properties } of people) ids.push(await mailer.contact(email, properties));
  const contactIds = ids.filter((_, i) => people[i]?.isTester);
  expect((await mailer.post(`/v2/lists/${staticListId}/members`, { contactIds })).status).toBe(200);
  const messages = ids.map((contactId) => ({ contactId, emailId: mailer.emailId }));
  const sent = await mailer.post('/v2/messages/batch', { messages });
  expect(sent.status, sent.text).toBe(200);
  const seen: Record<string, string> = {};
  for (const { email } of people) {
    const [caught] = await eventually(
      async () => server.to(email),
      (mails) => mails.length > 0,
    );
    const { html = '', text = '' } = caught?.mail ?? {};
    const found = (all: string) => all.match(/\b(?:pays|tries|tests|waits|many|few)\b/g)?.join(' ') ?? '';
    expect(found(text)).toBe(found(html.replace(/<style>[\s\S]*?<\/style>/g, '')));
    seen[email] = found(text);
  }
  const wanted = people.map(({ email, properties: { plan, seats }, isTester }) => {
    const isPaying = plan === 'pro';
    const words = [isPaying ? 'pays' : 'tries', isTester ? 'tests' : 'waits', seats >= 10 && isPaying ? 'many' : 'few'];
    return [email, words.join(' ')];
  });
  expect(seen).toEqual(Object.fromEntries(wanted));
});

it('a version for one contact still replaces the html, and its text is made from that', async () => {
  const mailer = await makeMailer(t);
  expect((await mailer.patch(`/v2/emails/${mailer.emailId}`, { design: designOf(paragraph('For all')) })).status).toBe(
    200,
  );
  const [own, other] = [await mailer.contact('own@example.org'), await mailer.contact('other@example.org')];
  const html = '<p>For you alone</p><a href="{{unsubscribe_url}}">Stop</a>';
  const stored = await mailer.post('/v2/email-versions', { assetId: mailer.emailId, email: 'own@example.org', html });
  expect(stored.status, stored.text).toBe(200);
  // A new design is for the others.
  expect((await mailer.patch(`/v2/emails/${mailer.emailId}`, { design: designOf(paragraph('Anew')) })).status).toBe(
    200,
  );
  for (const [contactId, email, words] of [
    [own, 'own@example.org', 'For you alone'],
    [other, 'other@example.org', 'Anew'],
  ] as const) {
    await mailer.queue({ contactId });
    const [caught] = await eventually(
      async () => server.to(email),
      (mails) => mails.length > 0,
    );
    const { html: sent = '', text = '' } = caught?.mail ?? {};
    for (const part of [sent, text]) {
      const found = part.match(/For all|For you alone|Anew/g);
      expect(found).toEqual([words]);
    }
  }
});
