import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { at, email, headerId, messageId, ok, refused, seconds, useHooks, whole } from '../../../../test/mail-hooks.js';

const { keys, taken, post, noticed } = useHooks();

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

  it.each(['AutoResponder', 'Subscribe', 'toString'])('ignores a bounce of type %s', async (type) => {
    expect(await post('7.postmark', bounce(type))).toMatchObject(ok);
    expect(taken).toEqual([]);
  });

  it('has our id in its metadata, and the server’s reply in the details', async () => {
    const Details = 'smtp;550 5.7.1 ada@example.com: blocked by policy';
    await post('7.postmark', bounce('HardBounce', { Details, Metadata: { 'message-id': messageId } }));
    expect(noticed()).toMatchObject([{ messageId, suppresses: false, reason: '550 5.7.1 …: blocked by policy' }]);
  });

  it('reports deliveries, complaints and subscription changes', async () => {
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

  it('reports events in batches', async () => {
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

  it('is trusted by its signature over the exact bytes, for a quarter of an hour', async () => {
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

  it('ignores unknown events, and refuses what is not an event', async () => {
    expect(await post('7.mailgun', body('opened'))).toMatchObject(ok);
    expect(await post('7.mailgun', {})).toMatchObject({ status: 400 });
    expect(taken).toEqual([]);
  });

  it('is trusted by its signature, for a quarter of an hour', async () => {
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
