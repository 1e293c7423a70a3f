import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { buildMail } from './build.js';
import { MailNotSent, type Message } from './transport.js';

const message: Message = {
  tenantId: 1,
  messageId: '<id@example.com>',
  from: { email: 'hello@example.com', name: 'Hello' },
  to: 'ada@example.org',
  forEmail: null,
  replyTo: 'hello@example.com',
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
  unsubscribeUrl: 'https://rapport.example/t/u/x',
  feedbackId: 'a:b:c:d',
  isAutomatic: true,
};
const expectedHeaders = [
  ...['auto-submitted', 'content-type', 'date', 'feedback-id', 'from', 'list-unsubscribe', 'list-unsubscribe-post'],
  ...['message-id', 'mime-version', 'reply-to', 'subject', 'to'],
];

/** Anything, and what would end a header, a command or a body. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '\r',
          '\n',
          '\r\n',
          '\r\n\r\n',
          '\r\n.\r\n',
          ' ',
          '\t',
          '\0',
          '\u0085',
          '\u2028',
          ',',
          ';',
          ':',
          '<',
          '>',
          '@',
        ],
        ...[
          '"',
          '\\',
          '(',
          ')',
          '=?utf-8?q?',
          '?=',
          'Bcc: eve@example.net',
          'RCPT TO:<eve@example.net>',
          'a',
          'é',
          '日',
          '🎉',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

async function built(changes: Partial<Message>) {
  try {
    return await buildMail({ ...message, ...changes });
  } catch (error) {
    if (error instanceof MailNotSent) return undefined;
    throw error;
  }
}

const unquoted = (local: string) => local.slice(1, -1).replace(/\\(.)/gu, '$1');

/** The headers are exactly ours, lines are well-formed, and what must be ASCII is. */
async function isSound(raw: Buffer, ascii = true): Promise<void> {
  const text = raw.toString('latin1');
  const head = text.slice(0, text.indexOf('\r\n\r\n'));
  const names = head.split(/\r\n(?![ \t])/).map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
  expect(names.sort()).toEqual(expectedHeaders);
  expect(head).not.toMatch(/[^\r]\n|\r[^\n]|\0/);
  if (ascii) expect(text).toMatch(/^[\t\r\n\x20-\x7e]*$/);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(999);
  expect((await PostalMime.parse(raw)).headers.map(({ key }) => key).sort()).toEqual(expectedHeaders);
}

describe('whatever a value holds, it stays one value', () => {
  it('in the subject and in a name', async () => {
    const property = fc.asyncProperty(hostile, hostile, async (subject, name) => {
      const mail = await buildMail({ ...message, subject, from: { email: 'hello@example.com', name } });
      expect([mail.from.address, mail.to.address]).toEqual(['hello@example.com', 'ada@example.org']);
      const parsed = await PostalMime.parse(mail.raw);
      expect([parsed.from?.address, parsed.to?.map(({ address }) => address)]).toEqual([
        'hello@example.com',
        ['ada@example.org'],
      ]);
      if (subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()) await isSound(mail.raw);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('in an address', async () => {
    const address = fc.oneof(
      hostile,
      hostile.map((text) => `${text}@example.org`),
      hostile.map((text) => `ada@${text}`),
    );
    const property = fc.asyncProperty(address, fc.constantFrom('to', 'replyTo', 'returnPath'), async (text, field) => {
      const mail = await built({ [field]: text });
      if (!mail) return;
      for (const { address: wire, needsUtf8 } of [mail.from, mail.to]) {
        expect(wire).not.toMatch(/[\s\0<>]/);
        if (!needsUtf8) expect(wire).toMatch(/^[\x21-\x7e]+$/);
      }
      const at = text.lastIndexOf('@');
      if (field === 'to') {
        const local = mail.to.address.slice(0, mail.to.address.lastIndexOf('@'));
        const plain = /^".*"$/.test(local) && local !== text.slice(0, at) ? unquoted(local) : local;
        expect(plain).toBe(text.slice(0, at));
      }
      await isSound(mail.raw, !mail.to.needsUtf8 && !mail.from.needsUtf8);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('in a link, a Feedback-ID and a Message-ID', async () => {
    const property = fc.asyncProperty(hostile, hostile, hostile, async (path, feedbackId, id) => {
      const unsubscribeUrl = `https://rapport.example/t/u/${path}`;
      const { raw } = await buildMail({ ...message, unsubscribeUrl, feedbackId: `x${feedbackId}` });
      await isSound(raw);
      const odd = await built({ messageId: `<${id}@example.com>` }).catch((error: Error) => error.message);
      if (typeof odd === 'string') expect(odd).toBe('The Message-ID of a message must be <id@domain>.');
      else if (odd) await isSound(odd.raw);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('in the two parts', async () => {
    const property = fc.asyncProperty(hostile, hostile, async (html, text) => {
      const { raw } = await buildMail({ ...message, html: `a${html}`, text: `b${text}` });
      await isSound(raw);
      const parsed = await PostalMime.parse(raw);
      const seen = (value = '') => value.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
      expect([seen(parsed.html), seen(parsed.text)]).toEqual([seen(`a${html}`), seen(`b${text}`)]);
    });
    await fc.assert(property, { numRuns: 200 });
  });
});

it.each(['ftp://x.example/u', 'javascript:alert(1)', 'mailto:a@b.example', `https://x.example/${'a'.repeat(900)}`])(
  'takes no unsubscribe link like %s',
  async (unsubscribeUrl) => {
    await expect(buildMail({ ...message, unsubscribeUrl })).rejects.toThrow('must be a web address');
  },
);

it('gives a Message-ID an ASCII domain', async () => {
  const { raw } = await buildMail({ ...message, messageId: '<0190@bücher.example>' });
  expect(raw.toString()).toContain('Message-ID: <0190@xn--bcher-kva.example>\r\n');
});

it.each([
  ['ada@example.org', 'ada@example.org'],
  ['a.b+c=d@example.org', 'a.b+c=d@example.org'],
  ['a,b@example.org', '"a,b"@example.org'],
  ['a"b\\c@example.org', '"a\\"b\\\\c"@example.org'],
  ['"a,b"@example.org', '"a,b"@example.org'],
  ['a..b@example.org', '"a..b"@example.org'],
])('writes %s as %s, in the envelope and in the header', async (to, wire) => {
  const mail = await buildMail({ ...message, to });
  expect(mail.to.address).toBe(wire);
  expect(mail.raw.toString()).toMatch(new RegExp(`^To: <?${wire.replace(/[\\.+"]/g, '\\$&')}>?\r$`, 'm'));
});

it('has both parts even without words', async () => {
  const { raw } = await buildMail({ ...message, text: '' });
  expect(raw.toString()).toMatch(/^Content-Type: multipart\/alternative;.*text\/plain.*text\/html/ms);
});
