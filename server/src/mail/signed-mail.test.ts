// A mail that left, read back by others: postal-mime reads it, mailauth verifies its signature.
import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMail } from './build.js';
import { smtpTransport } from './smtp.js';
import type { Message, Transport } from './transport.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'der' },
});
const signer = { domain: 'example.com', selector: 'r1', privateKey };
const message: Message = {
  tenantId: 1,
  messageId: '<0190f3a0b1c2d3e4f5061728394a5b6c@example.com>',
  from: { email: 'hello@example.com', name: 'Größe, "Käse" & <Söhne>' },
  to: 'ada@example.org',
  forEmail: null,
  replyTo: 'support@example.com',
  subject: 'Für dich: 50 % — 🎉 日本語 und ein Betreff, der viel länger ist als eine Zeile in einer Mail sein darf',
  html: `<p>Grüße</p>${'<b>lang</b>'.repeat(2000)}\n.\n..\n<p>Ende</p>`,
  text: 'Grüße\n\n.\n..\nEnde',
  returnPath: 'b-1-0190f3a0b1c2d3e4f5061728394a5b6c-0123456789ab@bounces.example.com',
  unsubscribeUrl: `https://rapport.example/t/u/${'a1B2-_'.repeat(30)}`,
  feedbackId: 'email:journey:rapport:example',
  signer,
};

interface Caught {
  from: string;
  to: string[];
  raw: Buffer;
}
const caught: Caught[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, { envelope }, done) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      caught.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks) });
      done();
    });
  },
});
let transport: Transport;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  transport = smtpTransport(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
});
afterAll(async () => {
  transport.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

async function sent(changes: Partial<Message> = {}): Promise<Caught> {
  await transport.send({ ...message, ...changes });
  return caught.at(-1) as Caught;
}

const resolver = async (name: string, type: string) => {
  expect([name, type]).toEqual(['r1._domainkey.example.com', 'TXT']);
  return [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]];
};

async function signatureOf(raw: Buffer) {
  const { results } = await dkimVerify(raw, { resolver });
  // Its types leave out what it found signed.
  const found = results as (Awaited<ReturnType<typeof dkimVerify>>['results'][number] & {
    signingHeaders?: { keys: string };
  })[];
  return found.map(({ status, signingDomain, signingHeaders }) => ({
    result: status.result,
    signingDomain,
    keys: (signingHeaders?.keys ?? '').toLowerCase().split(/\s*:\s*/),
  }));
}

const headerOf = (raw: Buffer, name: string) =>
  new RegExp(`^${name}: ([^\\r]*(?:\\r\\n[ \\t][^\\r]*)*)\\r$`, 'm').exec(raw.toString('latin1'))?.[1];
const longestLine = (raw: Buffer) =>
  Math.max(
    ...raw
      .toString('latin1')
      .split('\r\n')
      .map((line) => line.length),
  );

it('is what was meant to be sent, according to another parser', async () => {
  const before = Math.floor(Date.now() / 1000) * 1000;
  const { from, to, raw } = await sent();
  expect([from, to]).toEqual([message.returnPath, [message.to]]);
  const mail = await PostalMime.parse(raw);
  expect(mail.subject).toBe(message.subject);
  expect(mail.from).toEqual({ address: 'hello@example.com', name: message.from.name });
  expect(mail.to?.map(({ address }) => address)).toEqual(['ada@example.org']);
  expect(mail.replyTo?.map(({ address }) => address)).toEqual(['support@example.com']);
  expect(mail.messageId).toBe(message.messageId);
  expect(mail.html?.trim()).toBe(message.html);
  expect(mail.text?.trim()).toBe(message.text);
  expect(mail.attachments).toEqual([]);
  expect(headerOf(raw, 'Content-Type')).toMatch(/^multipart\/alternative;/);
  const at = Date.parse(headerOf(raw, 'Date') as string);
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
  expect(longestLine(raw)).toBeLessThanOrEqual(998);
});

it('offers to unsubscribe with one click, under the signature', async () => {
  const { raw } = await sent();
  expect(headerOf(raw, 'List-Unsubscribe')).toBe(`<${message.unsubscribeUrl}>`);
  expect(headerOf(raw, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  expect(headerOf(raw, 'Feedback-ID')).toBe(message.feedbackId);
  expect(headerOf(raw, 'Auto-Submitted')).toBeUndefined();
  const [signature, ...others] = await signatureOf(raw);
  expect(others).toEqual([]);
  expect(signature).toMatchObject({ result: 'pass', signingDomain: 'example.com' });
  const all =
    'from to subject date message-id mime-version content-type reply-to list-unsubscribe list-unsubscribe-post feedback-id';
  expect(signature?.keys.sort()).toEqual(all.split(' ').sort());
});

it('has a signature that holds, whatever blanks and lines it has', async () => {
  const pieces = ['\t', ' ', '  ', ' \t ', '\n', '\r\n', '\r', '\n\n', '.', '=', 'word', 'wörd', 'w'.repeat(76)];
  const content = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(content, content, async (text, html) => {
      const { raw } = await buildMail({ ...message, text, html });
      expect((await signatureOf(raw)).map(({ result }) => result)).toEqual(['pass']);
    }),
    { numRuns: 50 },
  );
});

it('breaks its signature when the unsubscribe header is changed on the way', async () => {
  const { raw } = await sent();
  const forged = Buffer.from(
    raw.toString('latin1').replace('List-Unsubscribe=One-Click', 'List-Unsubscribe=Two'),
    'latin1',
  );
  expect((await signatureOf(forged)).map(({ result }) => result)).toEqual(['fail']);
});

it('says so when no person wrote it, and has no list headers then', async () => {
  const { raw } = await sent({ unsubscribeUrl: null, isAutomatic: true, feedbackId: null });
  expect(headerOf(raw, 'Auto-Submitted')).toBe('auto-generated');
  expect(raw.toString('latin1')).not.toMatch(/^(List-|Feedback-ID)/im);
  const [signature] = await signatureOf(raw);
  expect(signature?.result).toBe('pass');
  expect(signature?.keys).toContain('auto-submitted');
});

it('leaves unsigned if there is no key, and not at all if the key is broken', async () => {
  expect(headerOf((await sent({ signer: null })).raw, 'DKIM-Signature')).toBeUndefined();
  const count = caught.length;
  const broken = { ...signer, privateKey: privateKey.replace(/\n.{20}/, '\n') };
  const { privateKey: curve } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  for (const key of [broken, { ...signer, privateKey: curve }])
    await expect(sent({ signer: key })).rejects.toMatchObject({
      outlook: 'later',
      code: null,
      reply: 'the DKIM key of example.com cannot be used',
    });
  expect(caught.length).toBe(count);
});

it('may have 2 MiB of HTML in one line', async () => {
  for (const html of [`<p>${'a'.repeat(2 * 1024 * 1024)}</p>`, `<p>${'é日'.repeat(400_000)}</p>`]) {
    const { raw } = await sent({ html });
    expect(longestLine(raw)).toBeLessThanOrEqual(998);
    expect((await PostalMime.parse(raw)).html?.trim()).toBe(html);
    expect((await signatureOf(raw)).map(({ result }) => result)).toEqual(['pass']);
  }
});

it('fetches nothing that a template names', async () => {
  const html = '<img src="file:///etc/hostname"><img src="data:text/plain;base64,QQ=="><a href="/etc/hostname">x</a>';
  const mail = await PostalMime.parse((await sent({ html, text: '/etc/hostname' })).raw);
  expect([mail.html?.trim(), mail.text?.trim(), mail.attachments]).toEqual([html, '/etc/hostname', []]);
});
