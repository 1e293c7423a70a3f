// An app that has no registration: its client id is the address of its metadata document. From a 401 to a call, through the real pages.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, connectAgent, post, toolCall } from '../../../test/agents.js';
import { type TenantClient, useApp } from '../../../test/app.js';
import {
  baseUrl,
  fieldsOf,
  knownApp,
  type Member,
  makeMember,
  redeem,
  redirectUri,
  startFlow,
} from '../../../test/oauth.js';
import { certificate, privateKey } from '../../../test/sns-certificate.js';
import { sql } from '../../db/sql.js';

const t = useApp({ work: true, webhooks: { allowPrivate: true } });
const resource = `${baseUrl}/mcp`;
let tenant: TenantClient;
let member: Member;
let clientId: string;
const website = createServer({ cert: certificate, key: privateKey }, (_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      ...{ client_id: clientId, client_name: 'Documented assistant', redirect_uris: [redirectUri] },
      ...{ grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' },
    }),
  );
});
const strict = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
beforeAll(async () => {
  tenant = await t.tenant();
  member = await makeMember(t, tenant.tenantId);
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
  clientId = `https://127.0.0.1:${(website.address() as AddressInfo).port}/assistant.json`;
  // The website's certificate is its own.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
});
afterAll(() => {
  website.close();
  if (strict === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  else process.env.NODE_TLS_REJECT_UNAUTHORIZED = strict;
});

it('finds its way from the 401, is allowed what the person ticks, and steps up', async () => {
  const refused = await post(t, undefined, toolCall('list_journeys'));
  const [, metadataUrl = ''] = /resource_metadata="([^"]+)"/.exec(String(refused.headers['www-authenticate'])) ?? [];
  const metadata = (await t.anonymous.get(new URL(metadataUrl).pathname)).body;
  expect(metadata.resource).toBe(resource);
  const app = await knownApp(t, clientId);
  expect(app.serverMetadata().client_id_metadata_document_supported).toBe(true);

  const asked = { scope: 'read people write send', resource };
  const started = await startFlow(app, asked);
  const page = await member.browser.get(started.url.href);
  expect(page.text).toContain('Documented assistant');
  expect(page.text).toContain(`It is published by <strong>${new URL(clientId).host}</strong>`);
  const fields = fieldsOf(page.text);
  expect(Object.keys(fields).filter((name) => name.startsWith('may-'))).toEqual(['may-read']);
  const back = await member.browser.post(page.url, { ...fields, decision: 'allow' });
  expect(new URL(back.url).searchParams.get('iss')).toBe(`${baseUrl}/oauth`);
  const tokens = await redeem(app, started, back.url);
  expect(tokens.scope).toBe('read');

  const agent = await connectAgent(t, tokens.access_token);
  expect((await call(agent, 'list_journeys')).data).toEqual({ items: [], total: 0, nextCursor: null });
  expect((await t.withToken(tokens.access_token).get('/v2/lists')).status).toBe(401);
  // It asked for send and got read: the call says what it wants, and that is what it asks for next.
  const beyond = await post(t, tokens.access_token, toolCall('plan', { action: 'enrol' }));
  expect(beyond.statusCode).toBe(403);
  const [, wanted = ''] = /scope="([^"]+)"/.exec(String(beyond.headers['www-authenticate'])) ?? [];
  expect(wanted).toBe('send');
  const again = await startFlow(app, { scope: `read ${wanted}`, resource });
  const second = await member.browser.get(again.url.href);
  const ticked = { ...fieldsOf(second.text), 'may-send': '1', decision: 'allow' };
  const more = await redeem(app, again, (await member.browser.post(second.url, ticked)).url);
  expect(more.scope?.split(' ').sort()).toEqual(['read', 'send']);
  const planned = await post(t, more.access_token, toolCall('plan', { action: 'enrol', journeyId: 'x' }));
  expect([planned.statusCode, planned.payload.includes('No such journey')]).toEqual([200, true]);

  const entry = await t.db.row(sql<{ detail: string }>`
    select detail from audit_entry where tenant_id = ${tenant.tenantId} and action = 'agent.called'
    order by entry_no desc limit 1`);
  expect(JSON.parse(entry?.detail ?? '{}')).toMatchObject({ app: clientId, tool: 'plan', outcome: 'refused' });
});
