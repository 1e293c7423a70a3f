// Without the scope people nothing of a person comes out, by whichever tool: tested with words that occur nowhere else.
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';
import { call, connectAgent } from '../../../test/agents.js';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { sendEvents } from '../../../test/events.js';
import { makeActive } from '../../../test/journeys.js';
import { sql } from '../../db/sql.js';
import { masked } from './mask.js';

const t = useApp({ work: true });
const secrets = ['xylographa', 'Quexington', 'Zibbelkrantz', 'vorpalix', 'Grumblewick', '7734219'];
const email = 'xylographa.q@example.com';
let tenant: TenantClient;
let agent: Client;
let seeing: Client;
const ids: Record<string, string> = {};

beforeAll(async () => {
  tenant = await tenantWithDomain(t);
  const properties = {
    first_name: 'Quexington',
    last_name: 'Zibbelkrantz',
    nickname: 'vorpalix',
    number: 7_734_219,
    plan: 'pro',
  };
  const done = await tenant.done(
    await tenant.post('/v2/contacts', { email, properties: { ...properties, nickname: 'Grumblewick' } }),
  );
  ids.contactId = done.data.results[0].contactId;
  await tenant.done(await tenant.patch(`/v2/contacts/${ids.contactId}`, { properties }));
  await sendEvents(tenant, [{ email, eventName: 'signed_up', properties: { note: 'vorpalix' } }]);
  const html = '<p>Hi {{ first_name | upcase }} {{ nickname }}</p><a href="{{unsubscribe_url}}">Unsubscribe</a>';
  ids.emailId = await makeEmail(tenant, { html, subject: 'For {{ first_name }}' });
  const list = await tenant.post('/v2/dynamic-lists', {
    name: 'Named',
    filter: { all: [{ property: 'nickname', is: 'vorpalix' }] },
  });
  ids.dynamicListId = list.body.data.dynamicListId;
  const entry = { propertyChanged: { property: 'nickname' } };
  ids.journeyId = await makeActive(tenant, {
    definition: { entry, steps: [{ id: 'mail', type: 'sendEmail', emailId: ids.emailId }] },
  });
  await tenant.done(await tenant.patch(`/v2/contacts/${ids.contactId}`, { properties: { nickname: 'Grumblewick' } }));
  await tenant.done(await tenant.patch(`/v2/contacts/${ids.contactId}`, { properties: { nickname: 'vorpalix' } }));
  seeing = await connectAgent(t, tenant.token);
  agent = await connectAgent(t, await tokenFor(['read', 'write', 'send']));
});

/** A token of an app for /mcp, as the authorization server stores it. */
async function tokenFor(scopes: string[], of = tenant): Promise<string> {
  const token = `rpt_app_${String(of.tenantId).padEnd(43, 'm')}`;
  await t.db.run(sql`
    insert into access_token (kind, token_hash, tenant_id, account_id, name, scopes, is_for_mcp, client_id, expires_at)
    select 'app', sha256(${token}::text::bytea), ${of.tenantId}, min(account_id), 'app', ${scopes}, true, 'app', now() + interval '1 hour'
    from account where tenant_id = ${of.tenantId}`);
  return token;
}

const calls = (): [string, Record<string, unknown>][] => [
  ['describe_workspace', {}],
  ['search', { query: 'xylo' }],
  ['get_contact', { contactId: ids.contactId }],
  ['find_contacts', {}],
  ['preview_audience', { filter: { all: [{ property: 'plan', is: 'pro' }] } }],
  ['explain', { contactId: ids.contactId, dynamicListId: ids.dynamicListId }],
  ['explain', { contactId: ids.contactId, journeyId: ids.journeyId }],
  ['explain', { contactId: ids.contactId, emailId: ids.emailId }],
  ['get_journey', { journeyId: ids.journeyId }],
  ['simulate_journey', { journeyId: ids.journeyId, contactIds: [ids.contactId] }],
  ['get_email', { emailId: ids.emailId }],
  ['preview_email', { emailId: ids.emailId, contactId: ids.contactId }],
  ['get_statistics', {}],
  ['plan', { action: 'send_email', emailId: ids.emailId, contactId: ids.contactId }],
  ['plan', { action: 'stop_journey', journeyId: ids.journeyId }],
];

it('shows people to an app with the scope, and to no other, in no answer', async () => {
  const seen: string[] = [];
  for (const [tool, given] of calls()) {
    const told = await call(agent, tool, given);
    expect(told.isError, `${tool}: ${told.text}`).toBe(false);
    const text = JSON.stringify(told);
    const own = tool === 'explain' && given.dynamicListId ? ['vorpalix'] : [];
    for (const secret of secrets) {
      // A filter that somebody wrote says it in the filter's own words, not in the person's.
      if (own.includes(secret)) continue;
      expect(text.toLowerCase(), `${tool} gives away ${secret}`).not.toContain(secret.toLowerCase());
    }
    seen.push(JSON.stringify(await call(seeing, tool, given)));
  }
  for (const secret of ['xylographa', 'Quexington', 'vorpalix']) expect(seen.join()).toContain(secret);
});

it('masks addresses and names in the way that people know', async () => {
  const { data } = await call(agent, 'get_contact', { contactId: ids.contactId });
  expect(data.contact).toMatchObject({ email: 'x…@example.com', firstName: 'Q.', lastName: 'Z.' });
  expect(data.contact.properties).toBeUndefined();
  const contact = { contactId: 'c', email: 'ada@example.com', name: 'Ada Lovelace', properties: { city: 'Turin' } };
  const shown = masked({ contact, sentence: 'Ada Lovelace of Turin (ada@example.com) got it.' });
  expect(shown).toEqual({
    contact: { contactId: 'c', email: 'a…@example.com', name: 'A. L.' },
    sentence: '… of … (a…@example.com) got it.',
  });
});

it.each(['a', 'a@', 'a@b', '.', '@'])('masks a text of many %s in linear time', (part) => {
  const text = `${part.repeat(240_000 / part.length)} ada@example.com`;
  expect(masked({ text }).text).toMatch(/ a…@example\.com$/);
});

it('tells which properties there are, and of what type, but gives no examples', async () => {
  const { data } = await call(agent, 'describe_workspace');
  expect(data.properties).toEqual(
    expect.arrayContaining([expect.objectContaining({ key: 'nickname' }), expect.objectContaining({ key: 'plan' })]),
  );
  expect(JSON.stringify(data.properties)).not.toContain('examples');
  const seen = await call(seeing, 'describe_workspace');
  expect(JSON.stringify(seen.data.properties)).toContain('"examples":');
});

it('lists the same tools for every scope', async () => {
  const listed = await Promise.all([agent, seeing].map((each) => each.listTools()));
  expect(listed[0]?.tools).toEqual(listed[1]?.tools);
});

it('shows a definition whole, so that it can be changed, and takes no masked address back', async () => {
  const steps = [
    { id: 'mark', type: 'updateProperty', property: 'plan', value: 'done' },
    { id: 'who', type: 'branch', cases: [{ filter: { property: 'owner', is: 'boss@example.com' }, next: null }] },
  ];
  const definition = { entry: { api: true }, steps };
  const { body } = await tenant.post('/v2/journeys', { name: 'Own words', type: 'trigger', definition });
  const { journeyId } = body.data;
  const { data } = await call(agent, 'get_journey', { journeyId });
  expect(data.journey.definition.steps[0]).toEqual(steps[0]);
  expect(JSON.stringify(data)).not.toContain('boss@');
  const back = await call(agent, 'save_journey', { journeyId, definition: data.journey.definition });
  expect(back).toMatchObject({ isError: true, text: expect.stringContaining('scope people') });
  expect((await tenant.get(`/v2/journeys/${journeyId}`)).body.data.definition).toEqual(definition);
});

it('names no person in the short text, even to an app that sees people', async () => {
  for (const [tool, given] of calls()) {
    const { text } = await call(seeing, tool, given);
    for (const secret of secrets) expect(text, tool).not.toContain(secret);
  }
});

it('quotes neither values of events nor dates of a person in a simulation', async () => {
  const own = await tenantWithDomain(t, [{ email, properties: { born_on: '1987-06-05' } }]);
  const [contact] = (await own.get('/v2/contacts')).body.data;
  await sendEvents(own, [{ email, eventName: 'told', eventProperties: { note: 'vorpalix' } }]);
  const definition = {
    entry: { event: { eventName: 'told' } },
    steps: [
      { id: 'set', type: 'updateProperty', property: 'note', value: { entry: 'note' } },
      { id: 'wait', type: 'delay', untilProperty: 'born_on' },
    ],
  };
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const given = { definition, type: 'trigger', contactIds: [contact.id], from };
  const said = async (client: Client) => JSON.stringify((await call(client, 'simulate_journey', given)).data);
  const open = await said(await connectAgent(t, own.token));
  const closed = await said(await connectAgent(t, await tokenFor(['read'], own)));
  for (const words of ['vorpalix', '1987-06-05']) {
    expect(open).toContain(words);
    expect(closed).not.toContain(words);
  }
});

it('leaves the words of the API whole, whatever properties say', async () => {
  const own = await tenantWithDomain(t, [{ email, properties: { status: 'active', motto: 'event' } }]);
  const [contact] = (await own.get('/v2/contacts')).body.data;
  const steps = [
    { id: 'mark', type: 'updateProperty', property: 'mark', value: 'vorpalix' },
    { id: 'wait', type: 'delay', for: 'P1D' },
  ];
  const journeyId = await makeActive(own, { name: 'Waits', definition: { entry: { api: true }, steps } });
  await own.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [contact.id] });
  await expect
    .poll(async () => (await own.get(`/v2/contacts/${contact.id}`)).body.data.properties.mark)
    .toBe('vorpalix');
  const closed = await connectAgent(t, await tokenFor(['read'], own));
  const { data } = await call(closed, 'explain', { contactId: contact.id, journeyId });
  expect(data.about).toEqual({ kind: 'journey', id: journeyId, name: 'Waits' });
  expect(JSON.stringify(data)).not.toContain('vorpalix');
  const told = await call(closed, 'get_contact', { contactId: contact.id });
  expect(told.data.journeys).toMatchObject([{ journeyId, state: 'active' }]);
});

it('refuses filters that would give addresses away letter by letter', async () => {
  const guesses = [
    { contact: 'email', startsWith: 'x' },
    { contact: 'email', is: email },
    { property: 'nickname', contains: 'v' },
    { event: 'signed_up', atLeast: 1, where: { all: [{ eventProperty: 'note', startsWith: 'v' }] } },
  ];
  for (const guess of guesses) {
    const filter = { any: [{ none: [guess] }] };
    for (const tool of ['find_contacts', 'preview_audience', 'save_list']) {
      const told = await call(agent, tool, { filter, ...(tool === 'save_list' ? { name: 'Guess' } : {}) });
      expect(told, `${tool} ${JSON.stringify(guess)}`).toMatchObject({ isError: true });
      expect(told.text).toContain('scope people');
    }
    const definition = { entry: { api: true }, steps: [{ id: 'a', type: 'branch', cases: [{ filter }] }] };
    expect((await call(agent, 'simulate_journey', { definition })).text).toContain('scope people');
    expect((await call(agent, 'save_journey', { name: 'x', type: 'trigger', definition })).text).toContain(
      'scope people',
    );
  }
});
