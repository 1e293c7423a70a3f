// The headers of webhook steps carry secrets of the receiver: they are kept sealed and never shown, but they are sent.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { bytes, sql } from '../../../db/sql.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';
import { rotateSecrets } from '../../sending/index.js';
import { webhookDrawers } from '../../webhooks/index.js';
import { sealOldHeaders } from './headers.js';

const key = randomBytes(32);
const box = new SecretBox(key);
const t = useApp({ box });
let own: TenantClient;
beforeAll(async () => {
  own = await t.tenant();
});

const hidden = '********';
const secret = 'Bearer a-secret-of-the-receiver';
const url = 'https://hooks.example.com/score';
const definition = (headers: Record<string, string>, more: object = {}) => ({
  entry: { api: true },
  steps: [{ id: 'call', type: 'webhook', url, headers, ...more }],
});
const make = async (headers: Record<string, string>) => {
  const body = { name: 'A journey', type: 'trigger', definition: definition(headers) };
  return (await own.post('/v2/journeys', body)).body.data.journeyId as string;
};
const headersOf = ({ body }: { body: { data: { definition: { steps: { headers: object }[] } } } }) =>
  body.data.definition.steps[0]?.headers;
const stored = async (id: string) => {
  const row = await t.db.row(sql<{ definition: { steps: { headers: Record<string, string> }[] } }>`
    select definition from journey where tenant_id = ${own.tenantId} and journey_id = ${bytes(id)}`);
  return row?.definition.steps[0]?.headers ?? {};
};
const everything = async () =>
  JSON.stringify(
    await t.db.rows(sql`
      select definition::text from journey where tenant_id = ${own.tenantId}
      union all select definition::text from journey_version where tenant_id = ${own.tenantId}
      union all select encode(sealed, 'escape') from webhook_header where tenant_id = ${own.tenantId}
      union all select response::text from idempotency_key where tenant_id = ${own.tenantId}
      union all select detail from audit_entry where tenant_id = ${own.tenantId}`),
  );

describe('headers of webhook steps', () => {
  it('are shown in no answer, and stored nowhere as plain text', async () => {
    const body = {
      name: 'A journey',
      type: 'trigger',
      definition: definition({ Authorization: secret, Accept: 'text/plain' }),
    };
    const made = await own.post('/v2/journeys', body, { 'idempotency-key': 'headers' });
    const id = made.body.data.journeyId;
    const replies = [
      made,
      await own.post('/v2/journeys', body, { 'idempotency-key': 'headers' }),
      await own.get(`/v2/journeys/${id}`),
      await own.patch(`/v2/journeys/${id}`, { name: 'Renamed' }),
    ];
    for (const reply of replies) expect(headersOf(reply)).toEqual({ Authorization: hidden, Accept: 'text/plain' });
    expect((await own.post(`/v2/journeys/${id}/activate`)).status).toBe(200);
    const versions = await own.get(`/v2/journeys/${id}/versions`);
    expect(versions.body.data[0].definition.steps[0].headers).toEqual({ Authorization: hidden, Accept: 'text/plain' });
    for (const reply of [...replies, versions]) expect(reply.text).not.toContain('a-secret-of-the-receiver');
    expect(await everything()).not.toContain('a-secret-of-the-receiver');
    expect(await stored(id)).toEqual({
      Authorization: expect.stringMatching(/^sealed:[0-9a-f]{24}$/),
      Accept: 'text/plain',
    });
  });

  it('stay as they are where what was hidden is sent back, and are no edit', async () => {
    const id = await make({ Authorization: secret });
    const before = await stored(id);
    const { data } = (await own.get(`/v2/journeys/${id}`)).body;
    const same = await own.patch(`/v2/journeys/${id}`, { definition: data.definition });
    expect([same.status, same.body.data.revision]).toEqual([200, data.revision]);
    const again = await own.patch(`/v2/journeys/${id}`, { definition: definition({ Authorization: secret }) });
    expect(again.body.data.revision).toBe(data.revision);
    expect(await stored(id)).toEqual(before);
    expect((await own.post(`/v2/journeys/${id}/activate`)).status).toBe(200);
    const changed = await own.patch(`/v2/journeys/${id}`, {
      ...{ definition: definition({ authorization: hidden, 'X-Team': 'growth' }), inFlight: 'finish' },
    });
    expect([changed.status, changed.body.data.version]).toEqual([200, 2]);
    expect((await stored(id)).authorization).toBe(before.Authorization);
  });

  it('do not follow a step to another host, and nothing without a value is activated', async () => {
    const id = await make({ Authorization: secret });
    const elsewhere = { url: 'https://evil.example/score' };
    await own.patch(`/v2/journeys/${id}`, { definition: definition({ Authorization: hidden }, elsewhere) });
    expect(await stored(id)).toEqual({ Authorization: hidden });
    const refused = await own.post(`/v2/journeys/${id}/activate`);
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      409,
      expect.stringContaining('The header Authorization of the step call has no value'),
    ]);
    await own.patch(`/v2/journeys/${id}`, { definition: definition({ Authorization: 'Bearer new' }, elsewhere) });
    expect((await own.post(`/v2/journeys/${id}/activate`)).status).toBe(200);
    const back = { definition: definition({ Authorization: hidden }), inFlight: 'finish' };
    expect((await own.patch(`/v2/journeys/${id}`, back)).status).toBe(409);
  });

  it('are checked before they are active, though they are sealed', async () => {
    for (const value of ['Bearer x\r\nX-Evil: 1', 'Bearer ü', 'x'.repeat(1025)]) {
      const id = await make({ Authorization: value });
      const refused = await own.post(`/v2/journeys/${id}/activate`);
      expect([refused.status, refused.body.errors[0].detail]).toEqual([
        400,
        expect.stringMatching(/^definition\.steps\[0\]\.headers\["Authorization"\]: .*visible ASCII/),
      ]);
      const good = { definition: definition({ Authorization: secret }) };
      expect((await own.patch(`/v2/journeys/${id}`, good)).status).toBe(200);
      expect((await own.post(`/v2/journeys/${id}/activate`)).status).toBe(200);
      const bad = { definition: definition({ Authorization: value }), inFlight: 'finish' };
      expect((await own.patch(`/v2/journeys/${id}`, bad)).status).toBe(400);
    }
  });

  it('can be given anew where no key opens them, as after a restore without it', async () => {
    const id = await make({ Authorization: secret });
    const headerId = (await stored(id)).Authorization?.slice('sealed:'.length) as string;
    await t.db.run(sql`
      update webhook_header set sealed = ${bytes('00'.repeat(60))}
      where tenant_id = ${own.tenantId} and header_id = ${bytes(headerId)}`);
    const refused = await own.post(`/v2/journeys/${id}/activate`);
    expect([refused.status, refused.body.errors[0].message]).toEqual([409, expect.stringContaining('has no value')]);
    const again = await own.patch(`/v2/journeys/${id}`, { definition: definition({ Authorization: secret }) });
    expect(again.status).toBe(200);
    expect((await own.post(`/v2/journeys/${id}/activate`)).status).toBe(200);
  });

  it('of another journey cannot be named', async () => {
    const first = await make({ Authorization: secret });
    const reference = (await stored(first)).Authorization as string;
    const second = await make({ Authorization: reference });
    expect((await stored(second)).Authorization).not.toBe(reference);
  });

  it('are forgotten when nothing needs them any more, and kept while a version does', async () => {
    const id = await make({ Authorization: 'Bearer one' });
    const count = async () =>
      (await t.db.rows(sql`select from webhook_header where tenant_id = ${own.tenantId}`)).length;
    const before = await count();
    await own.patch(`/v2/journeys/${id}`, { definition: definition({ Authorization: 'Bearer two' }) });
    expect(await count()).toBe(before);
    await own.post(`/v2/journeys/${id}/activate`);
    const edit = { definition: definition({ Authorization: 'Bearer three' }), inFlight: 'finish' };
    expect((await own.patch(`/v2/journeys/${id}`, edit)).status).toBe(200);
    expect(await count()).toBe(before + 1);
  });

  it('are forgotten with the journey, those of its versions too', async () => {
    const count = async () =>
      (await t.db.rows(sql`select from webhook_header where tenant_id = ${own.tenantId}`)).length;
    const before = await count();
    const id = await make({ Authorization: 'Bearer one' });
    await own.post(`/v2/journeys/${id}/activate`);
    await own.post(`/v2/journeys/${id}/deactivate`);
    await own.patch(`/v2/journeys/${id}`, { definition: definition({ Authorization: 'Bearer two' }) });
    expect(await count()).toBe(before + 2);
    expect((await own.delete(`/v2/journeys/${id}`)).status).toBe(200);
    expect(await count()).toBe(before);
  });

  it('can be compared, checked and simulated as they were read', async () => {
    const id = await make({ Authorization: secret });
    await own.post(`/v2/journeys/${id}/activate`);
    const { definition: read } = (await own.get(`/v2/journeys/${id}`)).body.data;
    const compared = await own.post(`/v2/journeys/${id}/compare`, { definition: read });
    expect(compared.body.data.steps).toMatchObject([{ stepId: 'call', becomes: 'stays' }]);
    const checked = await own.post('/v2/journeys/check', { type: 'trigger', definition: read });
    expect([checked.status, checked.text.includes('a-secret')]).toEqual([200, false]);
  });

  it('move under a new key with all other secrets', async () => {
    await make({ Authorization: secret });
    const { resealed, complaints } = await rotateSecrets(t.db, new SecretBox(randomBytes(32), [key]), webhookDrawers);
    expect([resealed > 0, complaints]).toEqual([true, []]);
    await t.db.run(sql`delete from webhook_header where tenant_id = ${own.tenantId}`);
  });
});

it('what an older build stored openly is sealed, and a draft that is its version stays so', async () => {
  const id = await make({ 'X-Team': 'growth' });
  await own.post(`/v2/journeys/${id}/activate`);
  const open = JSON.stringify(definition({ Authorization: secret, 'Content-Type': 'application/json' }));
  await t.db.run(sql`
    update journey set definition = ${open}::jsonb where tenant_id = ${own.tenantId} and journey_id = ${bytes(id)}`);
  await t.db.run(sql`
    update journey_version v set definition = ${open}::jsonb from journey j
    where j.tenant_id = ${own.tenantId} and j.journey_id = ${bytes(id)} and v.tenant_id = j.tenant_id and v.journey_no = j.journey_no`);
  expect(headersOf(await own.get(`/v2/journeys/${id}`))).toMatchObject({ Authorization: hidden });
  expect(await sealOldHeaders(t.db, box, 100)).toBe(1);
  expect(await sealOldHeaders(t.db, box, 100)).toBe(0);
  expect(await everything()).not.toContain('a-secret-of-the-receiver');
  expect((await own.get(`/v2/journeys/${id}`)).body.data).toMatchObject({ version: 1, revision: 1 });
  await own.post(`/v2/journeys/${id}/deactivate`);
  await own.post(`/v2/journeys/${id}/activate`);
  expect((await own.get(`/v2/journeys/${id}`)).body.data.version).toBe(1);
});

it('a draft that has something else where its steps should be is not taken for one to seal', async () => {
  const step = { type: 'webhook', headers: { Authorization: secret } };
  for (const steps of [step, [[step]], [{ type: 'webhook', headers: { Authorization: [secret] } }], 7])
    await own.post('/v2/journeys', { name: 'Odd', type: 'trigger', definition: { steps } });
  expect(await sealOldHeaders(t.db, box, 100)).toBe(0);
});
