// The endpoint: who gets in, what is listed, and that clients of both revisions are served.
import { beforeAll, describe, expect, it } from 'vitest';
import { call, connectAgent, post, revisions, toolCall } from '../../../test/agents.js';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeTopic } from '../../../test/consent.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { makeContact } from '../../../test/events.js';
import { makeJourney } from '../../../test/journeys.js';
import { sql } from '../../db/sql.js';
import { nearestOf } from './nearest.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
  await makeContact(tenant, 'ada@example.com');
});

const metadata = 'http://rapport.test/.well-known/oauth-protected-resource/mcp';
const tools = [
  ...['describe_workspace', 'search', 'get_contact', 'find_contacts', 'preview_audience', 'explain', 'list_journeys'],
  ...['get_journey', 'simulate_journey', 'list_emails', 'get_email', 'preview_email', 'get_statistics', 'save_list'],
  ...['save_email', 'save_journey', 'update_contact', 'plan', 'apply'],
];

const tokenWith = async (...scopes: string[]) => {
  const { body } = await t.admin.post(`/admin/tenants/${tenant.tenantId}/tokens`, { name: 'other', scopes });
  return body.data.token as string;
};

describe.each(revisions)('a client of %s', (revision) => {
  it('lists the tools in a fixed order, with all that describes them', async () => {
    const client = await connectAgent(t, tenant.token, { revision });
    expect(client.getNegotiatedProtocolVersion()).toMatch(revision === '2026' ? /^2026-/ : /^2025-/);
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(tools);
    for (const tool of listed.tools) {
      expect(tool.title, tool.name).toBeTruthy();
      expect(tool.description, tool.name).toContain('Example: {');
      expect(tool.inputSchema.type, tool.name).toBe('object');
      expect(tool.outputSchema?.type, tool.name).toBe('object');
      const [readOnlyHint, destructiveHint, idempotentHint] = Array(3).fill(expect.any(Boolean));
      expect(tool.annotations, tool.name).toMatchObject({ readOnlyHint, destructiveHint, idempotentHint });
    }
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(40_960);
    await client.close();
  });

  it('calls a tool, and gets data with a short text', async () => {
    const client = await connectAgent(t, tenant.token, { revision });
    const told = await call(client, 'search', { query: 'ada', kinds: ['contacts'] });
    expect(told).toMatchObject({ isError: false, text: '1 match.' });
    expect(told.data).toMatchObject({
      total: 1,
      nextCursor: null,
      items: [{ kind: 'contact', email: 'ada@example.com' }],
    });
    await client.close();
  });

  it('finds no tool that writes where it may only read', async () => {
    const client = await connectAgent(t, tenant.token, { revision, path: '/mcp?readOnly=1' });
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(tools.slice(0, 13));
    await expect(call(client, 'save_list', { name: 'x' })).rejects.toThrow('There is no tool “save_list”');
    await client.close();
  });
});

it('names where tokens come from, and the scopes, without a token or with a wrong one', async () => {
  const none = await post(t, undefined, toolCall('search'));
  expect(none.statusCode).toBe(401);
  expect(none.headers['www-authenticate']).toBe(
    `Bearer resource_metadata="${metadata}", scope="read people write send"`,
  );
  const wrong = await post(t, `rpt_pat_${'x'.repeat(43)}`, toolCall('search'));
  expect(wrong.headers['www-authenticate']).toContain('error="invalid_token"');
  const { body } = await t.anonymous.get('/.well-known/oauth-protected-resource/mcp');
  expect(body).toMatchObject({
    ...{ resource: 'http://rapport.test/mcp', scopes_supported: ['read', 'people', 'write', 'send'] },
    authorization_servers: ['http://rapport.test/oauth'],
  });
});

it('gives a personal token what its scopes are here, and an ingest token nothing', async () => {
  const reader = await tokenWith('READ');
  expect((await post(t, reader, toolCall('search', { query: 'a' }))).statusCode).toBe(200);
  const refused = await post(t, reader, toolCall('save_list', { name: 'x' }));
  expect(refused.statusCode).toBe(403);
  expect(refused.headers['www-authenticate']).toBe(
    `Bearer resource_metadata="${metadata}", error="insufficient_scope", scope="write"`,
  );
  const plan = await post(t, reader, toolCall('plan', { action: 'enrol' }));
  expect(plan.headers['www-authenticate']).toContain('scope="send"');
  const writer = await tokenWith('WRITE');
  const change = await post(t, reader, toolCall('plan', { action: 'change', emailId: 'x' }));
  expect(change.headers['www-authenticate']).toContain('scope="send write"');
  const ofContact = await post(t, writer, toolCall('plan', { action: 'change', email: 'ada@example.com' }));
  expect([ofContact.statusCode, ofContact.headers['www-authenticate']]).toEqual([
    403,
    expect.stringContaining('scope="send write people"'),
  ]);
  const contact = await post(t, reader, toolCall('update_contact', {}));
  expect(contact.headers['www-authenticate']).toContain('scope="write people"');
  const ingest = await post(t, await tokenWith('INGEST'), { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(ingest.statusCode).toBe(403);
  expect(ingest.headers['www-authenticate']).toContain('insufficient_scope');
});

it('judges every message of a batch by what it does, whatever the headers say', async () => {
  const reader = await tokenWith('READ');
  const batch = [toolCall('search', { query: 'a' }), toolCall('save_list', { name: 'sneaked in' }, 2)];
  const lying = { 'mcp-method': 'tools/call', 'mcp-name': 'search' };
  expect((await post(t, reader, batch, lying)).statusCode).toBe(403);
  expect((await post(t, reader, batch[1], lying)).statusCode).toBe(403);
  expect((await tenant.get('/v2/dynamic-lists?search=sneaked')).body.pagination.totalElements).toBe(0);
  const both = await post(t, reader, [toolCall('search', { query: 'a' }), toolCall('list_journeys', {}, 2)]);
  expect(both.statusCode).toBe(200);
  expect(both.payload).toContain('"id":2');
  expect((await post(t, reader, [])).statusCode).toBe(400);
  expect((await post(t, reader, Array(21).fill(toolCall('search', { query: 'a' })))).statusCode).toBe(400);
});

it('counts every message of a batch toward the budget', async () => {
  const poor = await t.tenant({ rateLimit: 5 });
  const many = Array.from({ length: 20 }, (_, i) => toolCall('search', { query: 'a' }, i));
  const refused = await post(t, poor.token, many);
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

it('refuses pages of other sites, and other methods and bodies', async () => {
  const asked = toolCall('search', { query: 'a' });
  expect(
    (await post(t, tenant.token, asked, { origin: 'https://evil.example', host: 'evil.example' })).statusCode,
  ).toBe(403);
  expect((await post(t, tenant.token, asked, { origin: 'null' })).statusCode).toBe(403);
  expect((await post(t, tenant.token, asked, { origin: 'http://rapport.test' })).statusCode).toBe(200);
  expect((await tenant.get('/mcp')).status).toBe(405);
  expect((await t.anonymous.get('/mcp')).status).toBe(401);
  expect((await post(t, tenant.token, asked, { 'content-type': 'text/plain' })).statusCode).toBe(415);
  const broken = await t.app.http.inject({
    ...{ method: 'POST', url: '/mcp', payload: '{' },
    headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
  });
  expect([broken.statusCode, broken.json().error.code]).toEqual([400, -32_700]);
});

it('compares a name of any length by its beginning', () => {
  const names = Array.from({ length: 400 }, (_, i) => `Journey ${i}`);
  const given = `journey 7${Array.from({ length: 1_000_000 }, (_, i) => String.fromCharCode(0x4e00 + (i % 20_000))).join('')}`;
  expect(nearestOf(given, names, (name) => [name])[0]).toBe('Journey 7');
});

it('names the place of a fault in a filter apart from its words', async () => {
  const client = await connectAgent(t, tenant.token);
  const filter = { all: [{ property: 'plan', 'od: d': 1, is: 'pro' }] };
  const { data, text } = await call(client, 'preview_audience', { filter });
  expect(data.faults).toEqual([{ path: 'filter.all[0]["od: d"]', message: 'not known here' }]);
  expect(text).toBe('The filter has 1 fault: filter.all[0]["od: d"]: not known here.');
  await client.close();
});

it('names the nearest property where a filter that finds nobody names an unknown one', async () => {
  const client = await connectAgent(t, tenant.token);
  await tenant.done(await tenant.post('/v2/contacts', { email: 'near@example.com', properties: { tier: 'gold' } }));
  const found = await call(client, 'find_contacts', { filter: { property: 'teir', is: 'gold' } });
  expect(found.data).toMatchObject({ items: [], total: 0 });
  expect(found.data.warnings[0]).toMatch(/^No contact has the property “teir”\. Nearest: .*\btier\b/);
  const right = await call(client, 'find_contacts', { filter: { property: 'tier', is: 'gold' } });
  expect(right.data).not.toHaveProperty('warnings');
  await client.close();
});

it('answers a name that is unknown with the nearest ones', async () => {
  const client = await connectAgent(t, tenant.token);
  await expect(call(client, 'list_journey')).rejects.toThrow('Nearest: list_journeys');
  await tenant.post('/v2/journeys', { name: 'Welcome back', type: 'trigger' });
  const told = await call(client, 'get_journey', { journeyId: 'Welcome' });
  expect(told.isError).toBe(true);
  expect(told.text).toMatch(/No such journey\. Nearest: “Welcome back” \([0-9a-f]{24}\)/);
  const odd = await call(client, 'list_journeys', { state: 'active' });
  expect(odd.text).toContain('Nearest: status');
});

it('answers an id that is unknown with the nearest ones, wherever it stands', async () => {
  const own = await tenantWithDomain(t);
  const contactId = await makeContact(own, 'near@example.com');
  const emailId = await makeEmail(own, { name: 'Near mail' });
  const [{ messageId }] = (await own.post('/v2/messages/batch', { messages: [{ emailId, contactId }] })).body.data
    .results;
  const journeyId = await makeJourney(own, { name: 'Near journey' });
  const { staticListId } = (await own.post('/v2/lists', { name: 'Near list' })).body.data;
  const { directoryId } = (await own.post('/v2/folders', { name: 'Near folder' })).body.data;
  const topicId = await makeTopic(own, 'Near topic');
  const client = await connectAgent(t, own.token);
  const plan = (await call(client, 'plan', { action: 'activate_journey', journeyId })).data;
  const far = 'f'.repeat(24);
  const filter = { any: [{ staticListId: far }] };
  for (const [tool, given, expected] of [
    ['apply', { planId: far }, { planId: plan.planId, name: plan.sentence }],
    ['list_journeys', { emailId: far }, { emailId, name: 'Near mail' }],
    ['explain', { contactId, messageId: far }, { messageId, emailId, name: 'Near mail', state: expect.any(String) }],
    ['save_list', { name: 'x', filter }, { staticListId, name: 'Near list' }],
    ['save_email', { emailId, folderId: far }, { folderId: directoryId, name: 'Near folder' }],
    ['save_email', { emailId, topicId: far }, expect.objectContaining({ topicId, name: 'Near topic' })],
    ['simulate_journey', { journeyId, contactIds: [far + far.slice(0, 8)] }, { contactId, name: 'near@example.com' }],
  ] as const) {
    const told = await call(client, tool, given);
    expect([told.isError, told.data.nearest], tool).toEqual([true, [expected]]);
    expect(told.text, tool).not.toContain('near@example.com');
  }
  for (const [kind, id, name] of [
    ['journeys', journeyId, 'Near journey'],
    ['emails', emailId, 'Near mail'],
    ['lists', staticListId, 'Near list'],
  ])
    await expect(client.readResource({ uri: `rapport://${kind}/${far}` })).rejects.toThrow(
      `Nearest: rapport://${kind}/${id} (“${name}”)`,
    );
  await client.close();
});

it('answers an unknown id in a filter or a definition that is only tried with the nearest ones', async () => {
  const own = await tenantWithDomain(t);
  const emailId = await makeEmail(own, { name: 'Near mail' });
  const { staticListId } = (await own.post('/v2/lists', { name: 'Near list' })).body.data;
  const client = await connectAgent(t, own.token);
  const far = 'f'.repeat(24);
  const filter = { any: [{ staticListId }, { none: [{ staticListId: far }] }] };
  const tried = await call(client, 'preview_audience', { filter });
  expect(tried.data).toMatchObject({
    faults: [{ path: 'filter.any[1].none[0].staticListId', message: 'there is no such static list' }],
    nearest: [{ staticListId, name: 'Near list' }],
  });
  // A name in place of an id is none.
  const named = { all: [{ staticListId: 'Near' }] };
  const nearList = [{ staticListId, name: 'Near list' }];
  expect((await call(client, 'preview_audience', { filter: named })).data.nearest).toEqual(nearList);
  expect((await call(client, 'find_contacts', { filter: named })).data.nearest).toEqual(nearList);
  const steps = [{ id: 'mail', type: 'sendEmail', emailId: far }];
  const draft = { name: 'x', type: 'trigger', definition: { entry: { api: true }, steps } };
  expect((await call(client, 'save_journey', { ...draft, dryRun: true })).data).toMatchObject({
    faults: [{ path: 'definition.steps[0].emailId' }],
    nearest: [{ emailId, name: 'Near mail' }],
  });
  await client.close();
});

it('describes what filters can name of organizations and product users, and sizes in the words of the API', async () => {
  const own = await t.tenant();
  const contactId = await makeContact(own, 'ada@example.com');
  await own.post('/v2/organizations', { orgId: 'acme', name: 'Acme', properties: { tier: 'gold' } });
  const write = { email: 'ada@example.com', userId: 'u1', orgIds: ['acme'], properties: { seat: 'owner' } };
  await own.done(await own.post('/v2/users', write));
  const { staticListId } = (await own.post('/v2/lists', { name: 'One' })).body.data;
  await own.post(`/v2/lists/${staticListId}/members`, { contactIds: [contactId] });
  const client = await connectAgent(t, own.token);
  const { data } = await call(client, 'describe_workspace');
  expect(data).toMatchObject({
    userProperties: [{ key: 'seat', types: ['text'], examples: ['owner'] }],
    orgProperties: [{ key: 'tier', types: ['text'], examples: ['gold'] }],
    lists: [{ type: 'static', staticListId, name: 'One', numRecords: 1 }],
  });
  await client.close();
});

it('describes a workspace to twenty messages of a batch at once', async () => {
  const own = await t.tenant();
  const properties = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`key_${i}`, i]));
  await own.done(await own.post('/v2/contacts', { email: 'ada@example.com', properties }));
  const batch = Array.from({ length: 20 }, (_, i) => toolCall('describe_workspace', {}, i));
  const { payload } = await post(t, own.token, batch);
  expect([payload.match(/"structuredContent"/g)?.length, payload.includes('not ready')]).toEqual([20, false]);
});

it('writes each call to the audit log: the person, the tool and what it touched', async () => {
  const contactId = await makeContact(tenant, 'grace@example.com');
  const client = await connectAgent(t, tenant.token);
  await call(client, 'get_contact', { email: 'grace@example.com' });
  const entry = await t.db.row(sql<{ detail: string; subject: string; accountId: number }>`
    select detail, subject, account_id as "accountId" from audit_entry
    where tenant_id = ${tenant.tenantId} and action = 'agent.called' order by entry_no desc limit 1`);
  expect(entry).toMatchObject({ subject: 'get_contact', accountId: expect.any(Number) });
  expect(JSON.parse(entry?.detail ?? '{}')).toMatchObject({
    ...{ tool: 'get_contact', app: null, tokenId: expect.any(Number), outcome: 'done' },
    touched: [`contact:${contactId}`],
  });
  expect(entry?.detail).not.toContain('grace@');
});
