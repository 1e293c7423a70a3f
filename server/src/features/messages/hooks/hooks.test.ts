import { type Provider, providerNames } from '@rapport/contract';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { at, email, headerId, messageId, ok, refused, useHooks, whole } from '../../../../test/mail-hooks.js';

let storeFails = false;
const { http, keys, taken, post, noticed } = useHooks({
  onNotices: () => {
    if (storeFails) throw new Error('away');
  },
});
beforeEach(() => {
  storeFails = false;
});

describe('a hook', () => {
  const events = { events: [{ type: 'delivered', messageId, at }] };

  it('acknowledges a request once it is stored', async () => {
    expect(await post('7.generic', events)).toMatchObject(ok);
    expect(taken).toEqual([{ tenantId: 7, notices: [whole({ messageId, at })] }]);
  });

  it('responds 503 while it cannot be stored, so that the provider sends it again', async () => {
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

  it('accepts only POST', async () => {
    const response = await http.inject({ method: 'GET', url: '/hooks/mail/7.generic' });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('POST');
    expect((await http.inject({ method: 'POST', url: '/hooks/mail' })).statusCode).toBe(404);
  });

  it('accepts a request without a content type', async () => {
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
  it('is read event by event; unknown events are skipped, unreadable ones are counted', async () => {
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

  it.each(providerNames)('posted to %s is refused, or gives notices that can be stored', async (provider) => {
    if (provider === 'ses') keys.set('ses', 'raw');
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        taken.length = 0;
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
