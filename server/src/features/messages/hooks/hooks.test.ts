import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { mailProviders, type Provider, providerNames } from '@rapport/contract';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { certificate, privateKey } from '../../../../test/sns-certificate.js';
import { createServer } from '../../../http/server.js';
import { systemClock } from '../../../lib/clock.js';
import type { Notice } from '../notices.js';
import { type Hook, hookPaths, installHooks } from './routes.js';
import type { Aws } from './sns.js';

const messageId = '0199a1b2c3d47e5f8a9b0c1d2e3f4a5b';
const headerId = `<${messageId}@news.acme.test>`;
const email = 'ada@example.com';
const at = '2026-11-13T09:00:00.000Z';
const seconds = Date.parse(at) / 1000;

// The hooks of tenant 7: a token is the name of its provider, which may have a key.
const keys = new Map<string, string>();
let taken: { tenantId: number; notices: readonly Notice[] }[] = [];
let storeFails = false;
let fetched: string[] = [];
let visited: string[] = [];
let awsFails = false;

const aws: Aws = {
  fetchCertificate: async (url) => {
    if (awsFails) throw new Error('no network');
    fetched.push(url);
    return certificate;
  },
  visit: async (url) => {
    if (awsFails) throw new Error('no network');
    visited.push(url);
  },
};
const shut = () => ({ status: 401 as const, headers: {} });
const http = createServer({
  endpoints: [],
  others: hookPaths,
  guards: { api: shut, admin: shut, ingest: shut },
  pageKeyGuard: shut,
  clock: systemClock,
  log: pino({ level: 'silent' }),
  whyUnavailable: (error) => (error.message === 'away' ? { reason: 'the database is away', retryAfter: 1 } : undefined),
});
installHooks(http, {
  clock: systemClock,
  findHook: async (tenantId, token): Promise<Hook | undefined> =>
    tenantId === 7 && Object.hasOwn(mailProviders, token)
      ? { tenantId, provider: token as Provider, key: keys.get(token) ?? null }
      : undefined,
  takeNotices: async (tenantId, notices) => {
    if (storeFails) throw new Error('away');
    taken.push({ tenantId, notices });
  },
  // As the database remembers them: see replays.test.ts.
  claimToken: async () => true,
  aws,
});
afterAll(() => http.close());
beforeEach(() => {
  keys.clear();
  taken = [];
  fetched = [];
  visited = [];
  storeFails = false;
  awsFails = false;
});

async function post(hook: string, body: unknown, headers: Record<string, string> = {}) {
  const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const url = `/hooks/mail/${hook}`;
  const response = await http.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });
  return { status: response.statusCode, text: response.body, headers: response.headers };
}
const ok = { status: 200, text: '{"success":true}' };
const refused = { status: 401, text: '' };
const noticed = () => taken.flatMap(({ notices }) => notices);
const whole = (notice: Partial<Notice>): Notice => ({
  ...{ what: 'delivered', messageId: null, email: null, isHard: false, suppresses: false, reason: null, at: null },
  ...notice,
});

describe('a hook', () => {
  const events = { events: [{ type: 'delivered', messageId, at }] };

  it('takes a post once it is stored', async () => {
    expect(await post('7.generic', events)).toMatchObject(ok);
    expect(taken).toEqual([{ tenantId: 7, notices: [whole({ messageId, at })] }]);
  });

  it('answers 503 while it cannot be stored, so that the provider sends it again', async () => {
    storeFails = true;
    expect(await post('7.generic', events)).toMatchObject({ status: 503 });
  });

  it.each(['7.other', '8.generic', 'generic', '7.', '.generic', '07.generic', '7.generic%00', '99999999999999999.x'])(
    'is closed to who does not know its address: %s',
    async (hook) => {
      expect(await post(hook, events)).toMatchObject(refused);
      expect(taken).toEqual([]);
    },
  );

  it('takes only POST', async () => {
    const response = await http.inject({ method: 'GET', url: '/hooks/mail/7.generic' });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('POST');
    expect((await http.inject({ method: 'POST', url: '/hooks/mail' })).statusCode).toBe(404);
  });

  it('takes what is not said to be anything', async () => {
    const payload = Buffer.from(JSON.stringify(events));
    const url = await http.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(`${url}/hooks/mail/7.generic`, { method: 'POST', body: payload });
    expect([response.status, await response.text()]).toEqual([200, ok.text]);
    expect(noticed()).toHaveLength(1);
  });

  it.each([['text/plain; charset=UTF-8'], ['application/x-www-form-urlencoded'], ['application/vnd.acme+json']])(
    'takes what is said to be %s',
    async (type) => {
      expect(await post('7.generic', events, { 'content-type': type })).toMatchObject(ok);
    },
  );

  it.each([
    ['', 'body is required.'],
    ['{', 'The body is not valid JSON.'],
    ['[]', 'body must be an object.'],
    ['{}', 'events must be an array.'],
    ['{"events":{}}', 'events must be an array.'],
    [Buffer.from('{"events":"\xff"}', 'latin1'), 'The body is not valid UTF-8.'],
  ])('refuses %j in words', async (body, message) => {
    const { status, text } = await post('7.generic', body);
    expect([status, JSON.parse(text).errors[0].message]).toEqual([400, message]);
  });

  it('refuses more than 10 MiB, and more events than a provider sends', async () => {
    expect(await post('7.generic', `{"events":"${'x'.repeat(10 * 1024 * 1024)}"}`)).toMatchObject({ status: 413 });
    const many = (count: number) => `{"events":[${'{},'.repeat(count - 1)}{}]}`;
    const { status, text } = await post('7.generic', many(10_001));
    expect(status).toBe(400);
    expect(text).toContain('events must have at most 10000 events, not 10001: send them in smaller parts.');
    expect(await post('7.generic', many(1_000_000))).toMatchObject({ status: 400 });
    expect(await post('7.sendgrid', `[${'{},'.repeat(999_999)}{}]`)).toMatchObject({ status: 400 });
    expect(await post('7.generic', many(10_000))).toMatchObject({ status: 200 });
    expect(taken).toEqual([]);
  });
});

describe('the generic form', () => {
  it('is read event by event; what it does not know is passed over, what it cannot read is counted', async () => {
    const good = [
      { type: 'bounced', email: ' ADA@example.com', bounce: 'hard', reason: '5.1.1 No such user', at },
      { type: 'bounced', messageId, bounce: 'soft', reason: 'full' },
      { type: 'bounced', messageId: headerId, reason: '550 5.7.1 Blocked' },
      { type: 'bounced', messageId: '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b' },
      { type: 'complained', messageId, email },
      { type: 'unsubscribed', email, reason: null },
    ];
    const bad = [
      null,
      7,
      {},
      { type: 'bounced' },
      { type: 'bounced', messageId: 'x' },
      { type: 'bounced', messageId: 'x', email },
      { type: 'bounced', email, bounce: 'medium' },
      { type: 'delivered', email, at: 'yesterday' },
      { type: 'delivered', email: 'nobody' },
      { type: 'delivered', email, reason: 7 },
    ];
    const answer = await post('7.generic', { events: [...good, { type: 'opened', messageId }, ...bad] });
    expect(answer).toMatchObject({ status: 200, text: `{"success":true,"skipped":${bad.length}}` });
    expect(noticed()).toEqual([
      whole({ what: 'bounced', email, isHard: true, suppresses: true, reason: '5.1.1 No such user', at }),
      whole({ what: 'bounced', messageId, reason: 'full' }),
      whole({ what: 'bounced', messageId, isHard: true, reason: '550 5.7.1 Blocked' }),
      whole({ what: 'bounced', messageId, isHard: true, suppresses: true }),
      whole({ what: 'complained', messageId, email }),
      whole({ what: 'unsubscribed', email }),
    ]);
  });
});

describe('Postmark', () => {
  const bounce = (Type: string, more = {}) => ({
    ...{ RecordType: 'Bounce', ID: 42, Type, MessageID: '883953f4-6105-42a2-a16a-77a8eac79483', Email: email },
    ...{ BouncedAt: '2026-11-13T10:00:00.0000000+01:00', Details: '', Description: 'Words', Metadata: {}, ...more },
  });

  it.each([
    ['HardBounce', { what: 'bounced', isHard: true, suppresses: true, reason: 'Words' }],
    ['BadEmailAddress', { what: 'bounced', isHard: true, suppresses: true, reason: 'Words' }],
    ['Blocked', { what: 'bounced', isHard: true, suppresses: false, reason: 'Words' }],
    ['SoftBounce', { what: 'bounced', isHard: false, reason: 'Words' }],
    ['Transient', { what: 'bounced', isHard: false, reason: 'Words' }],
    ['SpamComplaint', { what: 'complained' }],
    ['Unsubscribe', { what: 'unsubscribed' }],
  ] as const)('tells of a bounce of type %s', async (type, expected) => {
    expect(await post('7.postmark', bounce(type))).toMatchObject(ok);
    expect(noticed()).toEqual([whole({ email, at, ...expected })]);
  });

  it.each(['AutoResponder', 'Subscribe', 'toString'])('says nothing with a bounce of type %s', async (type) => {
    expect(await post('7.postmark', bounce(type))).toMatchObject(ok);
    expect(taken).toEqual([]);
  });

  it('has our id in its metadata, and what the server said in the details', async () => {
    const Details = 'smtp;550 5.7.1 ada@example.com: blocked by policy';
    await post('7.postmark', bounce('HardBounce', { Details, Metadata: { 'message-id': messageId } }));
    expect(noticed()).toMatchObject([{ messageId, suppresses: false, reason: '550 5.7.1 …: blocked by policy' }]);
  });

  it('tells of deliveries, complaints and changes of a subscription', async () => {
    const of = (RecordType: string, more: object) => ({ RecordType, Recipient: email, Metadata: {}, ...more });
    const change = (SuppressionReason: string | null, Origin: string, SuppressSending = true) =>
      of('SubscriptionChange', { SuppressSending, SuppressionReason, Origin, ChangedAt: at });
    const posts = [
      of('Delivery', { DeliveredAt: at }),
      bounce('SpamComplaint', { RecordType: 'SpamComplaint' }),
      change('ManualSuppression', 'Recipient'),
      change('ManualSuppression', 'Admin'),
      change('HardBounce', 'Recipient'),
      change('SpamComplaint', 'Recipient'),
      change(null, 'Recipient', false),
      of('Open', {}),
    ];
    for (const each of posts) expect(await post('7.postmark', each)).toMatchObject(ok);
    expect(noticed()).toEqual([
      whole({ what: 'delivered', email, at }),
      whole({ what: 'complained', email, at }),
      whole({ what: 'unsubscribed', email, at }),
      whole({ what: 'bounced', isHard: true, suppresses: true, email, at }),
      whole({ what: 'complained', email, at }),
    ]);
  });
});

describe('SendGrid', () => {
  const event = (name: string, more = {}) => ({ email, timestamp: seconds, 'smtp-id': headerId, event: name, ...more });
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

  function signed(body: string, ago = 0, key = pair.privateKey) {
    const timestamp = String(Math.floor(Date.now() / 1000) - ago);
    const signature = sign('sha256', Buffer.from(timestamp + body), key).toString('base64');
    return {
      'x-twilio-email-event-webhook-signature': signature,
      'x-twilio-email-event-webhook-timestamp': timestamp,
    };
  }

  it('tells of events in batches', async () => {
    const batch = [
      event('processed'),
      event('deferred'),
      event('delivered'),
      event('bounce', { type: 'bounce', status: '5.1.1', reason: '550 5.1.1 User unknown' }),
      event('bounce', { type: 'bounce', status: '5.7.1', reason: '550 spam' }),
      event('bounce', { type: 'bounce', reason: 'no words', bounce_classification: 'Invalid Address' }),
      event('bounce', { type: 'blocked', status: '4.7.0', reason: 'try later' }),
      event('dropped', { reason: 'Bounced Address' }),
      event('dropped', { reason: 'Spam Content' }),
      event('spamreport'),
      event('unsubscribe', { 'smtp-id': undefined }),
      { event: 'bounce' },
      'junk',
    ];
    expect(await post('7.sendgrid', batch)).toMatchObject({ status: 200, text: '{"success":true,"skipped":2}' });
    const mine = { messageId, email, at };
    const hard = { ...mine, what: 'bounced', isHard: true } as const;
    expect(noticed()).toEqual([
      whole({ ...mine, what: 'delivered' }),
      whole({ ...hard, suppresses: true, reason: '550 5.1.1 User unknown' }),
      whole({ ...hard, reason: '5.7.1 550 spam' }),
      whole({ ...hard, suppresses: true, reason: 'no words' }),
      whole({ ...mine, what: 'bounced', reason: '4.7.0 try later' }),
      whole({ ...hard, suppresses: true, reason: 'Bounced Address' }),
      whole({ ...hard, reason: 'Spam Content' }),
      whole({ ...mine, what: 'complained' }),
      whole({ ...mine, what: 'unsubscribed', messageId: null }),
    ]);
  });

  it('is believed by its signature over the very bytes, for a quarter of an hour', async () => {
    keys.set('sendgrid', publicKey);
    const body = `[ ${JSON.stringify(event('delivered'))} ]\r\n`;
    expect(await post('7.sendgrid', body, signed(body))).toMatchObject(ok);
    expect(await post('7.sendgrid', body, signed(body, 14 * 60))).toMatchObject(ok);
    expect(taken).toHaveLength(2);
    expect(await post('7.sendgrid', body, signed(body, 16 * 60))).toMatchObject(refused);
    expect(await post('7.sendgrid', body, signed(body, -16 * 60))).toMatchObject(refused);
    expect(await post('7.sendgrid', body.trim(), signed(body))).toMatchObject(refused);
    expect(await post('7.sendgrid', body)).toMatchObject(refused);
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    expect(await post('7.sendgrid', body, signed(body, 0, other))).toMatchObject(refused);
    const junk = { ...signed(body), 'x-twilio-email-event-webhook-signature': 'AAAA' };
    expect(await post('7.sendgrid', body, junk)).toMatchObject(refused);
    keys.set('sendgrid', 'no key');
    expect(await post('7.sendgrid', body, signed(body))).toMatchObject(refused);
    keys.set('sendgrid', pair.publicKey.export({ format: 'pem', type: 'spki' }).toString());
    expect(await post('7.sendgrid', body, signed(body))).toMatchObject(ok);
    expect(taken).toHaveLength(3);
  });

  it('may send as many events as its posts have room for', async () => {
    const batch = Array.from({ length: 3000 }, () => event('delivered', { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }));
    expect(await post('7.sendgrid', batch)).toMatchObject(ok);
    expect(noticed()).toHaveLength(3000);
  });
});

describe('Mailgun', () => {
  const signingKey = 'key-0123456789';
  const token = 'a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0';

  function body(event: string, more = {}, { ago = 0, key = signingKey, token: signedToken = token } = {}) {
    const timestamp = String(Math.floor(Date.now() / 1000) - ago);
    const signature = createHmac('sha256', key)
      .update(timestamp + signedToken)
      .digest('hex');
    const message = { headers: { 'message-id': headerId.slice(1, -1), to: email } };
    return {
      signature: { timestamp, token, signature },
      'event-data': { event, recipient: email, timestamp: seconds + 0.5, message, ...more },
    };
  }
  const mine = { messageId, email, at: '2026-11-13T09:00:00.500Z' };

  it.each([
    ['delivered', {}, { what: 'delivered' }],
    ['complained', {}, { what: 'complained' }],
    ['unsubscribed', {}, { what: 'unsubscribed' }],
    [
      'failed',
      {
        severity: 'permanent',
        'delivery-status': { code: 550, 'enhanced-code': '5.1.1', message: '550 No such user' },
      },
      { what: 'bounced', isHard: true, suppresses: true, reason: '550 5.1.1 No such user' },
    ],
    [
      'failed',
      { severity: 'permanent', 'delivery-status': { code: 552, message: '5.3.4 Too big' } },
      { what: 'bounced', isHard: true, reason: '552 5.3.4 Too big' },
    ],
    [
      'failed',
      { severity: 'permanent', reason: 'suppress-bounce', 'delivery-status': { code: 605, message: '' } },
      { what: 'bounced', isHard: true, suppresses: true, reason: 'suppress-bounce' },
    ],
    ['failed', { severity: 'temporary', reason: 'generic' }, { what: 'bounced', reason: 'generic' }],
  ] as const)('tells that it %s', async (event, more, expected) => {
    expect(await post('7.mailgun', body(event, more))).toMatchObject(ok);
    expect(noticed()).toEqual([whole({ ...mine, ...expected })]);
  });

  it('says nothing with what is not known, and refuses what is no event', async () => {
    expect(await post('7.mailgun', body('opened'))).toMatchObject(ok);
    expect(await post('7.mailgun', {})).toMatchObject({ status: 400 });
    expect(taken).toEqual([]);
  });

  it('is believed by its signature, for a quarter of an hour', async () => {
    keys.set('mailgun', signingKey);
    expect(await post('7.mailgun', body('delivered'))).toMatchObject(ok);
    expect(taken).toHaveLength(1);
    expect(await post('7.mailgun', body('delivered', {}, { ago: 16 * 60 }))).toMatchObject(refused);
    expect(await post('7.mailgun', body('delivered', {}, { key: 'other' }))).toMatchObject(refused);
    expect(await post('7.mailgun', body('delivered', {}, { token: 'other' }))).toMatchObject(refused);
    expect(await post('7.mailgun', { 'event-data': { event: 'delivered' } })).toMatchObject(refused);
    expect(await post('7.mailgun', { ...body('delivered'), signature: 'x' })).toMatchObject(refused);
    expect(taken).toHaveLength(1);
  });
});

describe('Amazon SES', () => {
  const certUrl = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123.pem';
  const subscribeUrl = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=t';
  const topic = 'arn:aws:sns:eu-central-1:123456789012:bounces';

  function event(type: string, more: object) {
    const mail = { messageId: '0107', destination: [email], commonHeaders: { messageId: headerId } };
    return { notificationType: type, mail, ...more };
  }
  function wrapped(given: Record<string, unknown>, version = '2', url = certUrl) {
    const common = { Type: 'Notification', MessageId: 'm', TopicArn: topic, Timestamp: at };
    const message: Record<string, unknown> = { ...common, ...given };
    const keysToSign =
      message.Type === 'Notification'
        ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
        : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
    const text = keysToSign.flatMap((key) => (message[key] === undefined ? [] : `${key}\n${message[key]}\n`)).join('');
    const signature = sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(text), privateKey).toString('base64');
    return { ...message, SignatureVersion: version, Signature: signature, SigningCertURL: url };
  }
  const notification = (type: string, more: object, version?: string) =>
    wrapped({ Message: JSON.stringify(event(type, more)), Subject: 'Amazon SES' }, version);
  const delivery = ['Delivery', { delivery: { timestamp: at, recipients: [email] } }] as const;
  const bounce = (bounceType: string, bounceSubType: string, recipient = {}) =>
    [
      'Bounce',
      {
        bounce: {
          bounceType,
          bounceSubType,
          timestamp: at,
          bouncedRecipients: [{ emailAddress: email, ...recipient }],
        },
      },
    ] as const;
  const mine = { messageId, email, at };
  const text = { 'content-type': 'text/plain; charset=UTF-8' };

  it.each([
    [delivery, { what: 'delivered' }],
    [bounce('Permanent', 'NoEmail'), { what: 'bounced', isHard: true, suppresses: true, reason: 'NoEmail' }],
    [bounce('Permanent', 'General'), { what: 'bounced', isHard: true, reason: 'General' }],
    [
      bounce('Permanent', 'General', { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }),
      { what: 'bounced', isHard: true, suppresses: true, reason: '550 5.1.1 user unknown' },
    ],
    [bounce('Permanent', 'General', { status: '5.7.1' }), { what: 'bounced', isHard: true, reason: '5.7.1' }],
    [bounce('Transient', 'MailboxFull'), { what: 'bounced', reason: 'MailboxFull' }],
    [bounce('Undetermined', 'Undetermined'), { what: 'bounced', reason: 'Undetermined' }],
    [
      [
        'Complaint',
        {
          complaint: { timestamp: at, complaintFeedbackType: 'abuse', complainedRecipients: [{ emailAddress: email }] },
        },
      ],
      { what: 'complained', reason: 'abuse' },
    ],
    [
      ['Subscription', { subscription: { timestamp: at, newTopicPreferences: { unsubscribeAll: true } } }],
      { what: 'unsubscribed' },
    ],
  ] as const)('tells of %j', async ([type, more], expected) => {
    expect(await post('7.ses', notification(type, more), text)).toMatchObject(ok);
    expect(noticed()).toEqual([whole({ ...mine, ...expected })]);
    expect(fetched).toEqual([certUrl]);
  });

  it('says nothing with other events, a complaint that was taken back, and words', async () => {
    const notSpam = {
      complaint: { complaintFeedbackType: 'not-spam', complainedRecipients: [{ emailAddress: email }] },
    };
    expect(await post('7.ses', notification('Send', { send: {} }))).toMatchObject(ok);
    expect(await post('7.ses', notification('Complaint', notSpam))).toMatchObject(ok);
    expect(await post('7.ses', wrapped({ Message: 'Successfully validated SNS topic' }))).toMatchObject(ok);
    expect(taken).toEqual([]);
  });

  it('finds our id among all headers where those are told', async () => {
    const mail = {
      headers: [
        { name: 'Subject', value: 'x' },
        { name: 'Message-ID', value: headerId },
      ],
    };
    await post('7.ses', notification('Delivery', { ...delivery[1], eventType: 'Delivery', mail }));
    expect(noticed()).toEqual([whole(mine)]);
  });

  it('is believed by either version of its signature, and by nothing less', async () => {
    const genuine = notification(...delivery, '1');
    expect(await post('7.ses', genuine)).toMatchObject(ok);
    expect(taken).toHaveLength(1);
    const forged = JSON.stringify(event('Delivery', { delivery: { timestamp: at, recipients: ['eve@example.com'] } }));
    for (const change of [
      { Message: forged },
      { TopicArn: 'arn:other' },
      { Subject: 'Another' },
      { Signature: 'AAAA' },
      { Signature: undefined },
      { SignatureVersion: '3' },
      { SignatureVersion: '2' },
      { Timestamp: undefined },
      { Type: 'UnsubscribeConfirmation' },
    ])
      expect(await post('7.ses', { ...genuine, ...change })).toMatchObject(refused);
    expect(await post('7.ses', event(...delivery))).toMatchObject(refused);
    expect(taken).toHaveLength(1);
  });

  it.each([
    'http://sns.eu-central-1.amazonaws.com/x.pem',
    'https://sns.eu-central-1.amazonaws.com.evil.example/x.pem',
    'https://evil.example/sns.eu-central-1.amazonaws.com/x.pem',
    'https://sns.eu-central-1.amazonaws.com:8443/x.pem',
    'https://sns.eu-central-1.amazonaws.com@evil.example/x.pem',
    'https://user@sns.eu-central-1.amazonaws.com/x.pem',
    'https://bucket.s3.amazonaws.com/x.pem',
    'https://sns.evil.amazonaws.com/x.pem',
    'https://sns.eu-central-1.amazonaws.com/x.txt',
    'https://169.254.169.254/x.pem',
    'file:///etc/passwd',
    'nonsense',
  ])('never has its certificate from %s', async (url) => {
    const [type, more] = delivery;
    const message = wrapped({ Message: JSON.stringify(event(type, more)) }, '2', url);
    expect(await post('7.ses', message)).toMatchObject(refused);
    expect(fetched).toEqual([]);
  });

  it('is confirmed at SNS, and nowhere else', async () => {
    const subscription = (SubscribeURL: string) =>
      wrapped({ Type: 'SubscriptionConfirmation', Message: 'You have chosen', Token: 't', SubscribeURL });
    expect(await post('7.ses', subscription(subscribeUrl), text)).toMatchObject(ok);
    expect(visited).toEqual([subscribeUrl]);
    expect(await post('7.ses', subscription('https://evil.example/'))).toMatchObject(refused);
    expect(await post('7.ses', { ...subscription(subscribeUrl), Token: 'other' })).toMatchObject(refused);
    expect(visited).toEqual([subscribeUrl]);
  });

  it('is asked to come again while AWS cannot be asked', async () => {
    awsFails = true;
    expect(await post('7.ses', notification(...delivery))).toMatchObject({ status: 503 });
  });

  it('may be held to one topic', async () => {
    keys.set('ses', topic);
    expect(await post('7.ses', notification(...delivery))).toMatchObject(ok);
    keys.set('ses', `${topic}-2`);
    expect(await post('7.ses', notification(...delivery))).toMatchObject(refused);
  });

  it('comes raw, without a signature, only where the hook says so', async () => {
    keys.set('ses', 'raw');
    expect(await post('7.ses', event(...delivery), { 'x-amz-sns-rawdelivery': 'true' })).toMatchObject(ok);
    expect(noticed()).toEqual([whole(mine)]);
    expect(await post('7.ses', { ...notification(...delivery), Signature: 'AAAA' })).toMatchObject(refused);
  });
});

describe('junk', () => {
  const names =
    'RecordType Type Email Recipient Details Description Metadata message-id SuppressSending SuppressionReason Origin ' +
    'events event type email smtp-id reason status bounce at messageId timestamp event-data signature message headers ' +
    'delivery-status code severity recipient notificationType mail commonHeaders destination bouncedRecipients ' +
    'emailAddress diagnosticCode bounceType bounceSubType complaint complainedRecipients delivery recipients name value';
  const words = [
    ...['Bounce', 'Delivery', 'HardBounce', 'SpamComplaint', 'SubscriptionChange', 'Complaint', 'bounce', 'bounced'],
    ...['delivered', 'failed', 'permanent', 'dropped', 'Permanent', email, headerId, messageId, '550 5.1.1 x', at],
    ...['a\0@b.c', '\ud800@b.c', '\ud800', '\0', '__proto__', 'constructor', 'toString'],
  ];
  const value = fc.oneof(fc.constantFrom<unknown>(...words, null, true, 1e308, -1, []), fc.jsonValue());
  const bodies = fc.object({
    key: fc.constantFrom(...names.split(' ')),
    values: [value],
    maxDepth: 4,
    maxKeys: 12,
    withNullPrototype: false,
  });

  it.each(providerNames)('posted to %s is refused, or gives what can be stored', async (provider) => {
    if (provider === 'ses') keys.set('ses', 'raw');
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        taken = [];
        const wrapped: Partial<Record<Provider, unknown>> = {
          generic: { events: [body] },
          sendgrid: [body],
          mailgun: { 'event-data': body },
        };
        const given = wrapped[provider] ?? body;
        expect([200, 400]).toContain((await post(`7.${provider}`, given)).status);
        for (const notice of noticed()) {
          expect(notice.messageId ?? notice.email).not.toBeNull();
          for (const text of Object.values(notice).filter((each) => typeof each === 'string'))
            expect(text.isWellFormed() && !text.includes('\0') && text.length <= 500).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
