// Walks every route of the contract: what holds for one must hold for all. A new route adds its line to `cases`.
import { pathsOf, type Route, routes, scopeOf } from '@rapport/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { badToken, type Client, challenge, type Reply, type TenantClient, useApp } from '../test/app.js';
import { useDns } from '../test/dns.js';
import { type Case, cases, type Filled } from '../test/route-cases.js';
import { definition, nothing, type Things, thingsIn } from '../test/tenant-things.js';
import { makeToken, outsideSettings, type TokenKind, tokenKinds, useIssuer, type Wanted } from '../test/token-kinds.js';
import type { Clock } from './lib/clock.js';

// Time moves only between tests, so that a spent budget stays spent within one.
let elapsed = 0;
const clock: Clock = { now: () => new Date(), elapsed: () => elapsed };
const dns = useDns();
const issuer = useIssuer();
const t = useApp(() => ({ clock, work: true, dnsServers: [dns.address], outside: outsideSettings(issuer) }));
beforeEach(() => {
  elapsed += 2000;
});
/** A body that refers to something unknown is a 400 that names it. */
const referring = [
  'createForm',
  'createBlock',
  'createDynamicList',
  'previewDynamicList',
  'previewFilter',
  'breakDownFilter',
  'createJourney',
  'createBroadcast',
];

function fill(pattern: string, values: Record<string, string> = {}): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'x'));
}

function send(client: Client, route: Route, pattern: string, { path, query, body }: Filled = {}): Promise<Reply> {
  const [streamed] = Object.entries(route.consumes ?? {});
  const payload = body ?? streamed?.[1] ?? (route.body ? route.example.body : undefined);
  const url = fill(pattern, path) + (query ? `?${new URLSearchParams(query)}` : '');
  return client.send(route.method, url, payload, streamed ? { 'content-type': streamed[0] } : {});
}

function expectEmpty(reply: Reply, status: number): void {
  expect(reply).toMatchObject({ status, text: '' });
  expect(reply.headers).not.toHaveProperty('content-type');
  expect(reply.headers['x-request-id']).toBeTruthy();
}

/** An answer without its time, and with echoed names replaced by their kind. */
function withoutNames({ status, headers, text }: Reply, things: Things): object {
  let plain = text.replace(/"timestamp":"[^"]*"/, '');
  const names = Object.entries(things).filter(([, name]) => name.length > 5 && !/^9+$/.test(name));
  for (const [kind, name] of names.sort(([, a], [, b]) => b.length - a.length)) plain = plain.replaceAll(name, kind);
  const { 'x-request-id': _id, date: _date, 'content-length': _length, ...rest } = headers;
  return { status, headers: rest, plain };
}

let [ours, theirs]: TenantClient[] = [];
const documents: Record<string, Reply> = {};

/** Who holds a token of some kind. */
type Holder = 'reads' | 'writes' | 'viewer' | 'over' | 'expired' | 'spent';
const holders = {} as Record<TokenKind, Record<Holder, Client>>;
async function makeHolders(kind: TokenKind): Promise<Record<Holder, Client>> {
  const { tenantId } = await t.tenant();
  const holder = async (wanted: Omit<Wanted, 'kind'>, of?: number) => {
    const at = of ?? (await t.tenant()).tenantId;
    return t.withToken(await makeToken(t, issuer, at, { kind, ...wanted }));
  };
  return {
    reads: await holder({ scopes: ['READ'] }, tenantId),
    writes: await holder({ scopes: ['WRITE'] }, tenantId),
    viewer: await holder({ role: 'viewer' }),
    over: await holder({ state: 'over' }),
    expired: await holder({ state: 'expired' }),
    spent: await holder({}, (await t.tenant({ rateLimit: 1 })).tenantId),
  };
}

beforeAll(async () => {
  for (const kind of tokenKinds) holders[kind] = await makeHolders(kind);
  [ours, theirs] = [await t.tenant(), await t.tenant()];
  for (const version of ['v1', 'v2']) documents[version] = await t.anonymous.get(`/openapi/${version}.json`);
});

// Making them takes many requests: what no test changes is made once. If a test changed it, the next one gets its own.
let lasting: { own: Things; of: Things } | undefined;
async function lastingThings(): Promise<{ own: Things; of: Things }> {
  lasting ??= { own: await makeThings(ours as TenantClient), of: await makeThings(theirs as TenantClient) };
  return lasting;
}

const makeThings = thingsIn(t, clock, () => lasting?.own.webhookId);

/** For requests that change things: used until a request no longer finds them. */
let spare: Things | undefined;

it('has a line here for every route of the contract', () => {
  expect(Object.keys(cases).sort()).toEqual(routes.map((route) => route.id).sort());
});

const served = routes.flatMap((route) =>
  pathsOf(route).map((pattern) => ({ route, pattern, name: `${route.method} ${pattern}` })),
);

describe.each(served.filter(({ route }) => route.area === 'api'))('$name', ({ route, pattern }) => {
  it('is in the OpenAPI document of its version, and of no other', async () => {
    for (const version of ['v1', 'v2'] as const) {
      const operation = documents[version]?.body.paths[`/${version}${route.path}`]?.[route.method.toLowerCase()];
      expect(operation?.operationId).toBe(route.versions.includes(version) ? route.id : undefined);
    }
  });

  it('is served', async () => {
    const { status, text } = await send(ours as TenantClient, route, pattern);
    expect([200, 400, 404, 409]).toContain(status);
    expect(text).not.toContain('No such route');
  });

  it('asks for a token', async () => {
    for (const client of [t.anonymous, t.withToken('x'), t.admin]) {
      const reply = await send(client, route, pattern);
      expectEmpty(reply, 401);
      expect(reply.headers['www-authenticate']).toBe(client === t.anonymous ? challenge : badToken);
    }
  });

  it.each(tokenKinds)('accepts and refuses tokens as it must, every kind alike: %s', async (kind) => {
    const scope = scopeOf(route);
    const [right, other] = scope === 'READ' ? (['reads', 'writes'] as const) : (['writes', 'reads'] as const);
    const { [right]: good, [other]: wrong, viewer, over, expired, spent } = holders[kind];
    const answer = await send(good, route, pattern);
    expect([200, 400, 404, 409]).toContain(answer.status);
    const refused = await send(wrong, route, pattern);
    expectEmpty(refused, 403);
    expect(refused.headers['www-authenticate']).toBe(`${challenge}, error="insufficient_scope", scope="${scope}"`);
    const viewed = await send(viewer, route, pattern);
    if (scope === 'READ' && !route.adminOnly) expect([200, 400, 404, 409]).toContain(viewed.status);
    else expectEmpty(viewed, 403);
    for (const client of [over, expired]) {
      const reply = await send(client, route, pattern);
      expectEmpty(reply, 401);
      expect(reply.headers['www-authenticate']).toBe(badToken);
    }
    const first = await send(spent, route, pattern);
    expect(first.headers['x-ratelimit-limit']).toBe('1');
    expect([200, 400, 404, 409]).toContain(first.status);
    const second = await send(spent, route, pattern);
    expectEmpty(second, 429);
    expect(second.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    // For the same request in the same position: each kind has its own tenants, which saw the same requests before.
    const answers = [answer, viewed, first, second].map(likeOthers);
    personal[pattern + route.method] ??= answers;
    expect(answers).toEqual(personal[pattern + route.method]);
  });
});

/** What clients get for each path with the first kind of token. */
const personal: Record<string, object[]> = {};

/** An answer without what is new in each: ids, times, secrets. */
function likeOthers({ status, headers, text, body }: Reply): object {
  const { 'x-request-id': _id, date: _date, 'content-length': _length, etag, ...rest } = headers;
  // How many rows there are is another matter: a list of tokens has the one that asked.
  const data = Array.isArray(body?.data) ? body.data[0] : body?.data;
  const said = status === 200 ? Object.keys(data ?? {}) : text.replace(/"timestamp":"[^"]*"/, '');
  return { status, rest, said, hasTag: etag !== undefined };
}

describe.each(served.filter(({ route }) => (cases[route.id]?.length ?? 0) > 0))('$name', ({ route, pattern }) => {
  const isAdmin = route.area === 'admin';

  it('treats what belongs to another tenant as unknown', async () => {
    const { own, of } = await lastingThings();
    lasting = undefined;
    // An administrator may name any tenant in the path: only the things in it can belong to another.
    const variants = (cases[route.id] ?? []).filter(
      (variant) => !isAdmin || variant(of, own).path?.tenantId === own.tenantId,
    );
    const caller = isAdmin ? t.admin : (ours as TenantClient);
    for (const variant of variants) {
      const there = await send(caller, route, pattern, variant(of, own));
      const nowhere = await send(caller, route, pattern, variant(nothing, own));
      expect(withoutNames(there, of)).toEqual(withoutNames(nowhere, nothing));
    }
    if (route.method !== 'GET') await expectUntouched(theirs as TenantClient, of);
    lasting = { own, of };
  });

  it('answers 404 for what does not exist, or as the contract says for contacts, transactions and filters', async () => {
    const caller = isAdmin ? t.admin : (ours as TenantClient);
    const [variant] = cases[route.id] as Case;
    const { status, body } = await send(caller, route, pattern, variant?.(nothing, nothing));
    const code = body.errors[0]?.errorCode ?? body.data.status;
    const wanted = referring.includes(route.id)
      ? /^400 VALIDATION_ERROR$/
      : /^(404 NOT_FOUND|400 BAS-E-002|200 NOT_EXIST)$/;
    expect([status, code].join(' ')).toMatch(wanted);
  });

  it('answers the same request about its own things with 200', async () => {
    const caller = isAdmin ? t.admin : (ours as TenantClient);
    const [variant] = cases[route.id] as Case;
    const statusOf = async (own: Things) => (await send(caller, route, pattern, variant?.(own, own))).status;
    if (route.method === 'GET') return expect(await statusOf((await lastingThings()).own)).toBe(200);
    // If an earlier request removed it, this one gets new things.
    if (spare && (await statusOf(spare)) === 200) return;
    spare = await makeThings(ours as TenantClient);
    expect(await statusOf(spare)).toBe(200);
  });
});

async function expectUntouched(tenant: TenantClient, things: Things): Promise<void> {
  const list = await tenant.get(`/v1/lists/${things.listId}`);
  expect(list.body.data).toMatchObject({ directoryId: things.folderId, name: `list ${things.n}`, numRecords: 1 });
  const contact = await tenant.get(`/v1/contacts/${things.contactId}`);
  expect(contact.body.data).toMatchObject({ email: things.email, properties: { plan: 'pro' } });
  const user = await tenant.get(`/v2/users/${things.userId}`);
  expect(user.body.data).toMatchObject({ email: things.email, orgIds: [things.orgId] });
  const members = await tenant.get(`/v1/lists/${things.listId}/members`);
  expect(members.body.data).toMatchObject([{ contactId: things.contactId }]);
  const organization = await tenant.get(`/v2/organizations/${things.orgId}`);
  expect(organization.body.data).toMatchObject({ name: things.orgId, properties: {} });
  const users = await tenant.get(`/v2/organizations/${things.orgId}/members`);
  expect(users.body.data).toMatchObject([{ userId: things.userId, contactId: things.contactId }]);
  const journey = await tenant.get(`/v2/journeys/${things.journeyId}`);
  expect(journey.body.data).toMatchObject({ name: `journey ${things.n}`, status: 'draft', definition, revision: 1 });
  const active = await tenant.get(`/v2/journeys/${things.activeId}`);
  expect(active.body.data).toMatchObject({ status: 'active', isPaused: false });
  const paused = await tenant.get(`/v2/journeys/${things.pausedId}`);
  expect(paused.body.data).toMatchObject({ status: 'active', isPaused: true });
  const email = await tenant.get(`/v1/emails/${things.emailId}`);
  expect(email.body.data).toMatchObject({ name: `email ${things.n}`, fromEmail: { email: `us@${things.domain}` } });
  const versions = await tenant.get(`/v1/email-versions?assetId=${things.emailId}`);
  expect(versions.body.data).toMatchObject([{ email: things.email, status: 'ready' }]);
  const message = await tenant.get(`/v2/outbox/${encodeURIComponent(things.keptId)}`);
  const queued = await tenant.get(`/v2/messages/${things.messageId}`);
  expect(queued.body.data).toMatchObject({ state: 'queued', email: things.email });
  const suppressions = await tenant.get(`/v2/suppressions?search=${encodeURIComponent(things.email)}`);
  expect(suppressions.body.data).toMatchObject([{ email: things.email, reason: 'manual' }]);
  expect(message.body.data).toMatchObject({ to: things.email, subject: 'Hello' });
  const [provider] = (await tenant.get('/v2/identity-providers?pageSize=1')).body.data;
  expect(provider).toMatchObject({ providerId: Number(things.providerId), name: `directory ${things.n}` });
  const folders = await tenant.get('/v2/folders?pageSize=1');
  expect(folders.body.data).toEqual([{ directoryId: things.folderId, directoryName: `folder ${things.n}` }]);
  const domains = await t.admin.get(`/admin/tenants/${things.tenantId}/sending-domains?pageSize=200`);
  expect(domains.body.data).toContainEqual(expect.objectContaining({ domain: things.domain }));
  const transport = await t.admin.get(`/admin/tenants/${things.tenantId}/transport`);
  expect(transport.body.data).toMatchObject({ smtpUrl: 'smtp://mail.example' });
  const [hook] = (await t.admin.get(`/admin/tenants/${things.tenantId}/mail-hooks?pageSize=1`)).body.data;
  expect(hook).toMatchObject({ hookId: things.hookId });
  const [invitation] = (await tenant.get('/v2/invitations?pageSize=1')).body.data;
  expect(invitation).toMatchObject({ invitationId: Number(things.invitationId), status: 'open' });
  const people = await tenant.get('/v2/people?pageSize=200');
  const somebody = { accountId: Number(things.accountId), name: 'somebody', role: 'admin', state: 'active' };
  expect(people.body.data).toContainEqual(expect.objectContaining(somebody));
  const [token] = (await t.admin.get(`/admin/tenants/${things.tenantId}/tokens?pageSize=1`)).body.data;
  expect(token).toMatchObject({ tokenId: Number(things.tokenId), revokedAt: null });
}

describe.each(served.filter(({ route }) => route.area === 'admin'))('$name', ({ route, pattern }) => {
  it('asks for the administrator’s token', async () => {
    for (const client of [t.anonymous, ours as TenantClient]) expectEmpty(await send(client, route, pattern), 401);
  });

  it('is throttled', async () => {
    const first = await send(t.admin, route, pattern, { body: {} });
    // The rest of the budget is spent on cheap requests.
    const left = Number(first.headers['x-ratelimit-limit']) - 1;
    const others = await Promise.all(Array.from({ length: left }, () => t.admin.get('/admin/tenants/x')));
    for (const { status } of [first, ...others]) expect(status).not.toBe(429);
    const last = await send(t.admin, route, pattern, { body: {} });
    expectEmpty(last, 429);
    expect(last.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });

  it('is in no OpenAPI document', async () => {
    for (const { text } of Object.values(documents)) expect(text).not.toContain('/admin/');
  });
});
