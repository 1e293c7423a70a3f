import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { notice } from '../notices.js';
import { NotGenuine, type Post } from './reading.js';
import { readResend } from './resend.js';

// The example from the Svix documentation.
const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const example = {
  body: '{"test": 2432232314}',
  headers: {
    'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'svix-timestamp': '1614265330',
    'svix-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
};
const signedAt = 1_614_265_330;

function post(body: string, headers: Record<string, string> = {}, now = signedAt, hookKey: string | null = key): Post {
  return { header: (name) => headers[name], body: Buffer.from(body), key: hookKey, now: new Date(now * 1000) };
}
function sign(body: string, secret = key): Record<string, string> {
  const { 'svix-id': id, 'svix-timestamp': time } = example.headers;
  const hmac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(`${id}.${time}.${body}`);
  return { ...example.headers, 'svix-signature': `v1,${hmac.digest('base64')}` };
}

const messageId = '0199a1b2c3d47e5f8a9b0c1d2e3f4a5b';
const [email, at] = ['ada@example.com', '2026-11-22T23:41:12.126Z'];
const data = {
  created_at: '2026-11-22T23:41:11.894Z',
  email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
  message_id: `<${messageId}@news.acme.test>`,
  from: 'Acme <news@acme.test>',
  to: ['Ada@example.com'],
};
const read = (type: string, more = {}) => {
  const body = JSON.stringify({ type, created_at: at, data: { ...data, ...more } });
  return readResend(post(body, sign(body)));
};

describe("Resend's signature", () => {
  it('is checked as Svix documents it', async () => {
    expect(await readResend(post(example.body, example.headers))).toEqual({ notices: [], skipped: 1 });
  });

  it('may be one of several, while the secret is being changed', async () => {
    const other = sign(example.body, 'whsec_b3RoZXI=')['svix-signature'];
    const both = `v1a,AAAA ${other} ${example.headers['svix-signature']}`;
    const reading = readResend(post(example.body, { ...example.headers, 'svix-signature': both }));
    await expect(reading).resolves.toBeDefined();
  });

  it.each([
    ['another body', post(`${example.body} `, example.headers)],
    ['another id', post(example.body, { ...example.headers, 'svix-id': 'msg_x' })],
    ['another secret', post(example.body, sign(example.body, 'whsec_b3RoZXI='))],
    ['no signature', post(example.body)],
    ['a signature of another version', post(example.body, { ...sign(example.body), 'svix-signature': 'v2,AAAA' })],
    ['a signature that is too short', post(example.body, { ...sign(example.body), 'svix-signature': 'v1,' })],
    ['a time long ago', post(example.body, example.headers, signedAt + 16 * 60)],
    ['a time far ahead', post(example.body, example.headers, signedAt - 16 * 60)],
  ])('is refused with %s', async (_, forged) => {
    await expect(readResend(forged)).rejects.toThrow(NotGenuine);
  });
});

describe('Resend', () => {
  const bounce = (type: string, subType: string, message = '') => ({ bounce: { type, subType, message } });
  const gone = 'The recipient’s address is on the suppression list.';

  it.each([
    ['email.delivered', {}, { what: 'delivered' }],
    ['email.complained', {}, { what: 'complained' }],
    ['email.bounced', bounce('Permanent', 'Suppressed', gone), { isHard: true, suppresses: true, reason: gone }],
    ['email.bounced', bounce('Permanent', 'NoEmail'), { isHard: true, suppresses: true, reason: 'NoEmail' }],
    [
      'email.bounced',
      bounce('Permanent', 'General', 'smtp; 550 5.1.1 user unknown'),
      { isHard: true, suppresses: true, reason: '550 5.1.1 user unknown' },
    ],
    [
      'email.bounced',
      bounce('Permanent', 'General', '550 5.7.1 blocked'),
      { isHard: true, reason: '550 5.7.1 blocked' },
    ],
    ['email.bounced', bounce('Transient', 'MailboxFull'), { reason: 'MailboxFull' }],
    ['email.bounced', {}, {}],
    ['email.suppressed', { suppressed: { message: gone } }, { isHard: true, suppresses: true, reason: gone }],
    [
      'email.failed',
      { failed: { reason: 'reached_daily_quota' } },
      { isHard: true, suppresses: false, reason: 'reached_daily_quota' },
    ],
  ] as const)('reports %s %j', async (type, more, expected) => {
    const found = notice('bounced', { messageId, email, at, ...expected });
    expect(await read(type, more)).toEqual({ notices: [found], skipped: 0 });
  });

  it('is matched by the address if the id is not ours', async () => {
    const { notices } = await read('email.delivered', { message_id: '<111-222@email.amazonses.com>' });
    expect(notices).toEqual([notice('delivered', { email, at })]);
  });

  it.each(['email.sent', 'email.opened', 'email.delivery_delayed', 'contact.updated', 'toString'])(
    'says nothing with %s',
    async (type) => {
      expect(await read(type)).toEqual({ notices: [], skipped: 0 });
    },
  );

  it('cannot be read without a message or an address', async () => {
    expect(await read('email.bounced', { message_id: null, to: [] })).toEqual({ notices: [], skipped: 1 });
  });
});
