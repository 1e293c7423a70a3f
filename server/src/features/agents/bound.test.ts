// No answer is longer than 40,960 bytes, whatever is in it; what is cut says so, and can be had.
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';
import { call, connectAgent, post, toolCall } from '../../../test/agents.js';
import { type TenantClient, useApp } from '../../../test/app.js';
import { designBody, designOf, paragraph } from '../../../test/designed-emails.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { makeJourney } from '../../../test/journeys.js';
import { bounded, shortened } from './bound.js';

const t = useApp({ work: true });
const most = 40_960;
let tenant: TenantClient;
let agent: Client;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
  agent = await connectAgent(t, tenant.token);
});

/** Bytes of what comes over the wire, as a client of the newer revision asks for it. */
async function bytesOf(method: string, params: object): Promise<number> {
  const version = 'io.modelcontextprotocol/protocolVersion';
  const _meta = {
    ...{ [version]: '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' } },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const { name, uri } = params as { name?: string; uri?: string };
  const headers = {
    ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    ...(name || uri ? { 'mcp-name': String(name ?? uri) } : {}),
  };
  const told = await post(t, tenant.token, { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, headers);
  expect(told.statusCode, told.payload.slice(0, 300)).toBe(200);
  return Buffer.byteLength(told.payload);
}

it('keeps the lists within the bound, in both revisions', async () => {
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
    expect(await bytesOf(method, {}), method).toBeLessThanOrEqual(most);
    const old = await post(t, tenant.token, { jsonrpc: '2.0', id: 1, method });
    expect([old.statusCode, Buffer.byteLength(old.payload) <= most], method).toEqual([200, true]);
  }
});

it('cuts what is given to a prompt', async () => {
  const long = '\u0001'.repeat(20_000);
  const given = { name: 'why_no_email', arguments: { email: long, about: long } };
  expect(await bytesOf('prompts/get', given)).toBeLessThanOrEqual(most);
});

it('keeps what the library says by itself within the bound, and takes no long ids', async () => {
  const wrong = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`argument_${i}`, i]));
  const given = { name: 'weekly_report', arguments: wrong };
  expect(await bytesOf('prompts/get', given)).toBeLessThanOrEqual(most);
  const old = await post(t, tenant.token, { jsonrpc: '2.0', id: 'seven', method: 'prompts/get', params: given });
  expect(old.statusCode).toBe(200);
  expect(Buffer.byteLength(old.payload)).toBeLessThanOrEqual(most);
  expect(JSON.parse(old.payload.replace(/^[^{]*/, ''))).toMatchObject({ id: 'seven', error: { code: -32_603 } });
  const long = await post(t, tenant.token, { jsonrpc: '2.0', id: 'x'.repeat(50_000), method: 'tools/list' });
  expect([long.statusCode, long.json().error.code]).toEqual([400, -32_600]);
  const fitting = await post(t, tenant.token, { jsonrpc: '2.0', id: 'x'.repeat(100), method: 'tools/list' });
  expect([fitting.statusCode, fitting.payload.includes('x'.repeat(100))]).toEqual([200, true]);
});

it('cuts what a refusal repeats', async () => {
  const told = await post(t, tenant.token, toolCall('plan', { action: '😀"\u0001'.repeat(9000), journeyId: 'x' }));
  expect(Buffer.byteLength(told.payload)).toBeLessThanOrEqual(most);
  const unknown = await post(t, tenant.token, toolCall('search', { ['"\\'.repeat(9000)]: 1 }));
  expect(Buffer.byteLength(unknown.payload)).toBeLessThanOrEqual(most);
});

const step = (i: number) => ({ id: `step-${i}`, type: 'delay', for: `P${i + 1}D` });

it('reads a long journey in parts, which together are the whole', async () => {
  const filter = { any: Array.from({ length: 30 }, (_, i) => ({ property: 'plan', is: `"${'x'.repeat(20)}" ${i}` })) };
  const branch = (i: number) => ({ id: `branch-${i}`, type: 'branch', cases: [{ filter, next: `step-${i}` }] });
  const steps = Array.from({ length: 40 }, (_, i) => [branch(i), step(i)]).flat();
  const journeyId = await makeJourney(tenant, { definition: { entry: { api: true }, steps } });
  const seen: unknown[] = [];
  let from: number | null = 0;
  for (let asked = 0; from !== null; asked++) {
    expect(asked).toBeLessThan(40);
    expect(
      await bytesOf('tools/call', { name: 'get_journey', arguments: { journeyId, stepsFrom: from } }),
    ).toBeLessThanOrEqual(most);
    const { data } = await call(agent, 'get_journey', { journeyId, stepsFrom: from });
    seen.push(...data.journey.definition.steps);
    if (data.nextStepsFrom !== null) expect(data.cut).toContain(`stepsFrom: ${data.nextStepsFrom}`);
    from = data.nextStepsFrom;
  }
  expect(seen).toEqual(steps);
  // As a resource it is a text of JSON, whose quotes are escaped once more.
  expect(await bytesOf('resources/read', { uri: `rapport://journeys/${journeyId}` })).toBeLessThanOrEqual(most);
  const { contents } = await agent.readResource({ uri: `rapport://journeys/${journeyId}` });
  expect((contents[0] as { text: string }).text).toContain('get_journey');
});

it('reads a long design in parts, which together are the whole', async () => {
  const blocks = Array.from({ length: 60 }, (_, i) => paragraph(`${i} ${'word '.repeat(250)}`));
  const design = designOf(...blocks);
  const { body } = await tenant.post('/v2/emails', designBody(design));
  const { emailId } = body.data;
  const seen: unknown[] = [];
  let from: number | null = 0;
  for (let asked = 0; from !== null; asked++) {
    expect(asked).toBeLessThan(60);
    const told = await call(agent, 'get_email', { emailId, blocksFrom: from });
    expect(told.bytes).toBeLessThanOrEqual(most);
    seen.push(...told.data.email.design.blocks);
    from = told.data.nextBlocksFrom;
  }
  expect(seen).toEqual(body.data.design.blocks);
});

it('reads some of the properties of a contact of whom there is too much', async () => {
  const properties = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`p${i}`, `${i} ${'é'.repeat(90)}`]));
  const written = await tenant.done(await tenant.post('/v2/contacts', { email: 'many@example.com', properties }));
  const contactIds = [written.data.results[0].contactId];
  for (let i = 0; i < 52; i++) {
    const { body } = await tenant.post('/v2/lists', { name: `${i} ${'ü'.repeat(200)}` });
    await tenant.post(`/v2/lists/${body.data.staticListId}/members`, { contactIds });
  }
  const told = await call(agent, 'get_contact', { email: 'many@example.com' });
  expect(told.bytes).toBeLessThanOrEqual(most);
  expect(told.data.cut).toContain('lists shows 50 of 52');
  expect(told.data.cut).toContain('propertyKeys');
  const some = await call(agent, 'get_contact', { email: 'many@example.com', propertyKeys: ['p149'] });
  expect(some.data.contact.properties).toEqual({ p149: properties.p149 });
});

it('describes a workspace with many properties and lists in parts, by name', async () => {
  const keys = Array.from({ length: 70 }, (_, i) => `key_${String(i).padStart(3, '0')}`);
  const wide = Object.fromEntries(keys.map((key) => [key, 1]));
  await tenant.done(await tenant.post('/v2/contacts', { email: 'wide@example.com', properties: wide }));
  const { data } = await call(agent, 'describe_workspace');
  expect(data.cut).toContain('Call again with search');
  await expect
    .poll(async () => (await call(agent, 'describe_workspace', { search: 'key_069' })).data.properties)
    .toMatchObject([{ key: 'key_069' }]);
});

it('bounds a long email by the part that is asked for', async () => {
  const emailId = await makeEmail(tenant, { html: `<p>${'"\\'.repeat(30_000)}</p>` });
  expect(await bytesOf('tools/call', { name: 'get_email', arguments: { emailId } })).toBeLessThanOrEqual(most);
});

it('cuts texts between characters, and always ends', () => {
  expect(shortened('😀'.repeat(1000), 200)).toMatch(/^(😀)+…$/u);
  expect(shortened('short', 200)).toBe('short');
  const deep = { a: Array.from({ length: 3000 }, (_, i) => ({ [`k${i}`]: 'x'.repeat(150) })) };
  expect(Buffer.byteLength(JSON.stringify(bounded(deep)))).toBeLessThanOrEqual(most);
  const dense = Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`${i}${'k'.repeat(3000)}`, 1]));
  expect(bounded(dense)).toEqual({ cut: expect.stringContaining('does not fit') });
});
