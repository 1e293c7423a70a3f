import * as contract from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { envelope, refusal, usePeer } from '../test/peer.js';
import { ApiFailure } from './index.js';

const peer = usePeer();

describe('a call', () => {
  it('sends what the route says and answers the data of the envelope', async () => {
    peer.answers({ ...envelope({ id: 'e1' }), headers: { etag: '"7"' } });
    const answer = await peer.client().call(contract.getEmail, { params: { id: 'e1' } });
    expect(answer).toEqual({ data: { id: 'e1' }, errors: [], etag: '"7"', replayed: false, requestId: 'req-1' });
    expect(peer.received[0]).toMatchObject({ method: 'GET', url: '/v2/emails/e1', body: '' });
    expect(peer.received[0]?.headers).toMatchObject({ authorization: 'Bearer rpt_pat_x' });
    expect(peer.received[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it('sends a body as JSON, with a key that makes it harmless to send again', async () => {
    peer.answers({ ...envelope({ status: 'PENDING' }), headers: { 'idempotency-replayed': 'true' } });
    const { replayed } = await peer.client().call(contract.createContact, { body: { email: 'a@example.com' } });
    expect(replayed).toBe(true);
    expect(peer.received[0]?.body).toBe('{"email":"a@example.com"}');
    expect(peer.received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'made-key',
    });
  });

  it('takes a key of the caller, and none where none is wanted', async () => {
    peer.answers(envelope({}));
    const body = { email: 'a@example.com' };
    await peer.client().call(contract.createContact, { body, idempotencyKey: 'mine' });
    await peer.client().call(contract.createContact, { body, idempotencyKey: false });
    await peer.client({ idempotencyKeys: false }).call(contract.createContact, { body });
    await peer.client().call(contract.createTenant, { body: { name: 'Acme' } });
    expect(peer.received.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'mine',
      ...Array(3).fill(undefined),
    ]);
  });

  it('encodes what goes into the path, and refuses what would lead elsewhere', async () => {
    peer.answers(envelope({}));
    const byEmail = (email: string) => peer.client().call(contract.getContactByEmail, { params: { email } });
    await byEmail('a/b?c#d%2F+é@example.com');
    expect(peer.received[0]?.url).toBe('/v2/contacts/by-email/a%2Fb%3Fc%23d%252F%2B%C3%A9%40example.com');
    for (const bad of ['', '.', '..']) await expect(byEmail(bad)).rejects.toThrow('params.email is');
    expect(peer.received).toHaveLength(1);
  });

  it('sends repeatable parameters as repeats and leaves out what is undefined, not what is empty', async () => {
    peer.answers(envelope([], { pagination: {} }));
    const client = peer.client();
    await client.call(contract.listEmailActivity, {
      params: { id: 'e1' },
      query: { outcome: ['stored', 'rejected'], pageSize: undefined },
    });
    await client.call(contract.listEmails, { query: { search: 'a b&c+d', folderId: '' } });
    expect(peer.received.map(({ url }) => url)).toEqual([
      '/v2/emails/e1/activity?outcome=stored&outcome=rejected',
      '/v2/emails?search=a+b%26c%2Bd&folderId=',
    ]);
  });

  it('asks version 1 when told, and says when a route is not there', async () => {
    peer.answers(envelope({}));
    const client = peer.client({ version: 'v1', baseUrl: `${peer.url}/` });
    await client.call(contract.getContact, { params: { id: 'c1' } });
    expect(peer.received[0]?.url).toBe('/v1/contacts/c1');
    await expect(client.call(contract.listContacts)).rejects.toThrow(
      "listContacts is not part of v1. Make a client with version 'v2' for it.",
    );
  });

  it('reaches the administration at its whole path', async () => {
    peer.answers(envelope({}));
    await peer.client().call(contract.updateTenant, { params: { tenantId: 7 }, body: { name: 'Acme' } });
    expect(peer.received[0]).toMatchObject({ method: 'PATCH', url: '/admin/tenants/7', body: '{"name":"Acme"}' });
  });

  it('sends If-Match when there is an etag to match', async () => {
    peer.answers(envelope({}));
    const patch = (ifMatch: string | null) =>
      peer.client().call(contract.updateEmail, { params: { id: 'e1' }, body: { subject: 'x' }, ifMatch });
    await patch('"7"');
    await patch(null);
    expect(peer.received.map(({ headers }) => headers['if-match'])).toEqual(['"7"', undefined]);
  });

  it('keeps the items beside the data', async () => {
    const errors = [{ errorCode: 'CONTACTS_NOT_FOUND', message: 'No such contact: x.' }];
    peer.answers(envelope({ added: 1 }, { errors }));
    const input = { params: { id: 'l1' }, body: { contactIds: ['x', 'y'] } };
    expect((await peer.client().call(contract.addMembers, input)).errors).toEqual(errors);
  });
});

it('follows no redirect: a POST would arrive as a GET, and its answer would look like that of the write', async () => {
  peer.answers({ status: 301, headers: { location: '/v2/contacts/' } }, envelope([]));
  const create = peer.client().call(contract.createContact, { body: { email: 'a@example.com' } });
  await expect(create).rejects.toMatchObject({ status: 301, errorCode: 'NOT_RAPPORT' });
  expect(peer.received.map(({ method }) => method)).toEqual(['POST']);
});

it('says of a redirect that a browser hides what it is, and asks once', async () => {
  let asked = 0;
  const hidden = async () => {
    asked++;
    return { ok: false, status: 0, headers: { get: () => null }, body: null, text: async () => '' };
  };
  const get = peer.client({ fetch: hidden }).call(contract.getEmail, { params: { id: 'e1' } });
  await expect(get).rejects.toMatchObject({ errorCode: 'NOT_RAPPORT', message: expect.stringContaining('redirect') });
  expect(asked).toBe(1);
});

it.each(['', 'a b', 'ключ', 'a\nb', 'k'.repeat(256)])(
  'refuses a key that the service would not take, and does not ask: %j',
  async (idempotencyKey) => {
    const call = peer.client().call(contract.createContact, { body: { email: 'a@example.com' }, idempotencyKey });
    await expect(call).rejects.toThrow('idempotencyKey must have 1 to 255 visible ASCII characters');
    expect(peer.received).toEqual([]);
  },
);

it.each(['localhost:8080', '127.0.0.1:8080', 'ftp://example.com'])(
  'refuses %s as the address of a service',
  (baseUrl) => {
    expect(() => peer.client({ baseUrl })).toThrow(`baseUrl is "${baseUrl}"`);
  },
);

it('says what is wrong with a token that no header can carry, and does not ask', async () => {
  for (const token of ['', 'two words', 'line\nbreak'])
    await expect(peer.client({ token }).call(contract.listContacts)).rejects.toThrow('This is not a token');
  expect(peer.received).toEqual([]);
});

describe('a refusal', () => {
  const failureOf = (client = peer.client({ patience: { attempts: 1 } })) =>
    client.call(contract.getContact, { params: { id: 'c1' } }).then(
      () => expect.unreachable(),
      (error: unknown) => error,
    );

  it('is thrown with the items of the envelope', async () => {
    peer.answers(refusal(404, 'NOT_FOUND', 'No such contact.'));
    const failure = await failureOf();
    expect(failure).toBeInstanceOf(ApiFailure);
    expect(failure).toMatchObject({
      status: 404,
      errorCode: 'NOT_FOUND',
      message: 'No such contact.',
      items: [{ errorCode: 'NOT_FOUND', message: 'No such contact.' }],
      requestId: 'req-1',
      retryAfter: undefined,
    });
  });

  it.each([
    [401, 'UNAUTHORIZED', 'The token is not accepted. It may have expired or been revoked.'],
    [
      403,
      'FORBIDDEN',
      'Your token does not allow this. Reading needs the READ scope; previews and changes need WRITE.',
    ],
    [429, 'TOO_MANY_REQUESTS', 'Too many requests for this workspace at the moment. Try again in a minute.'],
    [500, 'UNKNOWN', 'The service answered 500 without an explanation.'],
    [200, 'NOT_RAPPORT', 'What answered (200) is not Rapport. Check the address.'],
  ])('without a body is explained: %i', async (status, errorCode, message) => {
    peer.answers({ status, headers: { 'retry-after': '7' } });
    const failure = await failureOf();
    expect(failure).toMatchObject({ status, errorCode, message });
    if (status !== 200) expect(failure).toMatchObject({ retryAfter: 7 });
  });

  it('of a page that is no envelope is explained too', async () => {
    peer.answers({ status: 502, body: '<html>Bad gateway</html>' });
    expect(await failureOf()).toMatchObject({ status: 502, errorCode: 'UNKNOWN' });
    peer.answers({ body: '{"data": 1}' });
    expect(await failureOf()).toMatchObject({ status: 200, errorCode: 'NOT_RAPPORT' });
  });

  it('has status 0 and the cause when there is no answer', async () => {
    peer.answers({ fault: 'cut' });
    const failure = await failureOf();
    expect(failure).toMatchObject({
      status: 0,
      errorCode: 'NO_ANSWER',
      message: 'The service cannot be reached. Try again.',
    });
    expect(failure).toMatchObject({ cause: { message: 'fetch failed' } });
  });

  it('of the token is reported, so that the caller can sign the person out', async () => {
    const told: ApiFailure[] = [];
    peer.answers({ status: 401 });
    await failureOf(peer.client({ onUnauthorized: (failure) => told.push(failure) }));
    expect(told).toMatchObject([{ status: 401 }]);
  });
});
