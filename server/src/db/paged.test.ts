import { pathsOf, routes } from '@rapport/contract';
import { beforeAll, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../test/app.js';
import { useDatabase } from '../../test/database.js';
import { makeDynamicList } from '../../test/dynamic-lists.js';
import { makeEmail } from '../../test/emails.js';
import { makeJourney } from '../../test/journeys.js';
import type { Database, Runner } from './database.js';
import { paged, unwrapPage } from './paged.js';
import { type Sql, sql } from './sql.js';

const own = useDatabase();
/** What ran where, in order. */
const ran: { where: string; text: string }[] = [];

function watched(runner: Runner, where: string): Runner {
  const note = <A>(run: (statement: Sql<never>) => A) => {
    return (statement: Sql<never>): A => {
      ran.push({ where, text: statement.text });
      return run(statement);
    };
  };
  return { rows: note(runner.rows), row: note(runner.row), run: note(runner.run) } as Runner;
}

function watchedDatabase(db: Database): Database {
  return { ...db, ...watched(db, 'lanes'), slow: (tenantId) => watched(db.slow(tenantId), 'slow') };
}

const t = useApp(() => ({ db: watchedDatabase(own.db) }));
const numbers = (limit: number, offset: number) => ({
  total: sql`(select 25)`,
  rows: sql<{ n: number; twice: number | null }>`
    select n, nullif(n, 3) * 2 as twice from generate_series(1, 25) n limit ${limit} offset ${offset}`,
});

it('returns rows and total, past the end too', async () => {
  const first = await paged(own.db, 1, { limit: 2, offset: 2 }, numbers(2, 2));
  expect(first).toMatchObject({
    rows: [
      { n: 3, twice: null },
      { n: 4, twice: 8 },
    ],
    total: 25,
  });
  expect(await paged(own.db, 1, { limit: 2, offset: 30 }, numbers(2, 30))).toEqual({ rows: [], total: 25 });
  expect(unwrapPage([])).toEqual({ rows: [], total: 0 });
});

it('reads a first page on the lanes, and a search or a late page among the slow reads', async () => {
  const db = watchedDatabase(own.db);
  const whereOf = async (page: { offset: number; isSearch?: boolean }) => {
    ran.length = 0;
    await paged(db, 1, { limit: 1, ...page }, numbers(1, page.offset));
    return ran.map(({ where }) => where);
  };
  expect(await whereOf({ offset: 0 })).toEqual(['lanes']);
  expect(await whereOf({ offset: 1000 })).toEqual(['lanes']);
  expect(await whereOf({ offset: 1001 })).toEqual(['slow']);
  expect(await whereOf({ offset: 0, isSearch: true })).toEqual(['slow']);
});

const form = {
  ...{ name: 'f', topicIds: [], consentText: 'Yes.' },
  fields: [{ property: 'email', label: 'Email', type: 'email' }],
};
const hook = { url: 'https://example.com/hook', events: ['message.sent'] };
let tenant: TenantClient;
let targets: Record<string, string>;

beforeAll(async () => {
  tenant = await t.tenant();
  const { tenantId } = tenant;
  await t.admin.post(`/admin/tenants/${tenantId}/sending-domains`, { domain: 'example.com' });
  const contact = '1'.repeat(32);
  await own.db.run(sql`
    insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
    values (${tenantId}, ${contact}, 'a@b.c', '{}', 'a@b.c', now(), now())`);
  await own.db.run(sql`
    insert into event_count (tenant_id, contact_id, month, events) values (${tenantId}, ${contact}, 24322, 30000)`);
  await own.db.run(sql`
    insert into marketing_activity_count (tenant_id, contact_id, month, events) values (${tenantId}, ${contact}, 24322, 30000)`);
  await tenant.post('/v2/organizations', { orgId: 'o', name: 'o' });
  targets = {
    '/contacts/{id}': `/contacts/${contact}`,
    '/lists/{id}': `/lists/${(await tenant.post('/v2/lists', { name: 'l' })).body.data.staticListId}`,
    '/dynamic-lists/{id}': `/dynamic-lists/${await makeDynamicList(tenant, { all: [] })}`,
    '/emails/{id}': `/emails/${await makeEmail(tenant)}`,
    '/journeys/{id}': `/journeys/${await makeJourney(tenant)}`,
    '/forms/{formId}': `/forms/${(await tenant.post('/v2/forms', form)).body.data.formId}`,
    '/webhooks/{id}': `/webhooks/${(await tenant.post('/v2/webhooks', hook)).body.data.webhookId}`,
    '{orgId}': 'o',
    '{tenantId}': String(tenantId),
  };
});

// What a page must be told besides its number.
const required: Record<string, string> = {
  ...{ '/v2/lists/{id}/movements': '&what=joined', '/v2/dynamic-lists/{id}/movements': '&what=left' },
};
const pages = routes.filter((route) => route.paged).map((route) => pathsOf(route).at(-1) as string);

it.each(pages)('reads a late page of %s among the slow reads', async (pattern) => {
  const path = Object.entries(targets).reduce((text, [name, value]) => text.replace(name, value), pattern);
  ran.length = 0;
  const reply = await (path.startsWith('/admin') ? t.admin : tenant).get(
    `${path}?pageNumber=1001&pageSize=20${required[pattern] ?? ''}`,
  );
  expect(reply.status).toBe(200);
  // Waiting work is grouped by the database and split into pages here.
  const late = ran.filter(({ text }) => /\boffset \$|group by tenant_id/.test(text)).map(({ where }) => where);
  expect([...new Set(late)]).toEqual(['slow']);
});

it('reads what journeys send an email among the slow reads: each of them is looked through', async () => {
  ran.length = 0;
  expect((await tenant.get('/v2/journeys?emailId=0123456789abcdef01234567')).status).toBe(200);
  const looks = ran.filter(({ text }) => text.includes('jsonb_path_exists')).map(({ where }) => where);
  expect([...new Set(looks)]).toEqual(['slow']);
});

it('reads only the address of contacts in a journey', async () => {
  const id = await makeJourney(tenant);
  await own.db.run(sql`
    insert into enrolment (tenant_id, enrolment_id, journey_no, contact_id, version, state, entered_at)
    select ${tenant.tenantId}, gen_random_uuid(), journey_no, ${'1'.repeat(32)}, 1, 'active', now() from journey
    where journey_id = ${`\\x${id}`}`);
  ran.length = 0;
  const { body } = await tenant.get(`/v2/journeys/${id}/enrolments?include=email`);
  expect(body.data).toMatchObject([{ email: 'a@b.c' }]);
  expect(ran.filter(({ text }) => /\bproperties\b/.test(text))).toEqual([]);
});
