// What arrives by a real SMTP conversation is what the preview showed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { designOf, paragraph } from '../../../../test/designed-emails.js';
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
