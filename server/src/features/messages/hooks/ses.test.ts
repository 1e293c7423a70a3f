import { sign } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { at, email, headerId, messageId, ok, refused, useHooks, whole } from '../../../../test/mail-hooks.js';
import { certificate, privateKey } from '../../../../test/sns-certificate.js';
import type { Aws } from './sns.js';

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
const { keys, taken, post, noticed } = useHooks({ aws });
beforeEach(() => {
  fetched = [];
  visited = [];
  awsFails = false;
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

  it('ignores other events, a withdrawn complaint, and plain text', async () => {
    const notSpam = {
      complaint: { complaintFeedbackType: 'not-spam', complainedRecipients: [{ emailAddress: email }] },
    };
    expect(await post('7.ses', notification('Send', { send: {} }))).toMatchObject(ok);
    expect(await post('7.ses', notification('Complaint', notSpam))).toMatchObject(ok);
    expect(await post('7.ses', wrapped({ Message: 'Successfully validated SNS topic' }))).toMatchObject(ok);
    expect(taken).toEqual([]);
  });

  it('finds our id among the headers if they are included', async () => {
    const mail = {
      headers: [
        { name: 'Subject', value: 'x' },
        { name: 'Message-ID', value: headerId },
      ],
    };
    await post('7.ses', notification('Delivery', { ...delivery[1], eventType: 'Delivery', mail }));
    expect(noticed()).toEqual([whole(mine)]);
  });

  it('is trusted by either version of its signature, and by nothing less', async () => {
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

  it('is asked to retry while AWS cannot be reached', async () => {
    awsFails = true;
    expect(await post('7.ses', notification(...delivery))).toMatchObject({ status: 503 });
  });

  it('may be held to one topic', async () => {
    keys.set('ses', topic);
    expect(await post('7.ses', notification(...delivery))).toMatchObject(ok);
    keys.set('ses', `${topic}-2`);
    expect(await post('7.ses', notification(...delivery))).toMatchObject(refused);
  });

  it('may come raw, without a signature, only if the hook allows it', async () => {
    keys.set('ses', 'raw');
    expect(await post('7.ses', event(...delivery), { 'x-amz-sns-rawdelivery': 'true' })).toMatchObject(ok);
    expect(noticed()).toEqual([whole(mine)]);
    expect(await post('7.ses', { ...notification(...delivery), Signature: 'AAAA' })).toMatchObject(refused);
  });
});
