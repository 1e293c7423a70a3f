import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { auditOf } from '../../../../test/audit.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import type { Database } from '../../../db/database.js';
import { Sql, sql } from '../../../db/sql.js';
import { type RecipientsAsked, selectRecipients } from './queries.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let emailId = '';
let ids: Record<string, string> = {};

interface Told {
  name?: string;
  state: string;
  reason?: string;
  /** Minutes after the beginning. */
  sent?: number;
  opened?: number;
  clicked?: number;
  kind?: string;
}

/** One message for each, queued a minute apart. */
const people: Told[] = [
  { name: 'ada', state: 'delivered', sent: 10, opened: 30, clicked: 31 },
  { name: 'bob', state: 'sent', sent: 20, opened: 25 },
  { name: 'cyd', state: 'sent', sent: 15 },
  { name: 'dan', state: 'bounced', reason: '550 no such user', sent: 12 },
  { name: 'eve', state: 'skipped', reason: 'unsubscribed' },
  { name: 'fay', state: 'queued' },
  { name: 'gus', state: 'sent', reason: 'outbox', sent: 18 },
  { state: 'sent', sent: 5 },
  { name: 'ada', state: 'sent', sent: 40, kind: 'test' },
];

beforeAll(async () => {
  const names = people.flatMap(({ name }) => name ?? []);
  tenant = await tenantWithDomain(
    t,
    [...new Set(names)].map((name) => ({
      email: `${name}@x.de`,
      properties: { first_name: name.toUpperCase(), last_name: '100%' },
    })),
  );
  emailId = await makeEmail(tenant);
  const rows = (await tenant.get('/v2/contacts?pageSize=50')).body.data as { id: string; email: string }[];
  ids = Object.fromEntries(rows.map(({ id, email }) => [email.slice(0, 3), id]));
  await store(tenant.tenantId, emailId, people);
});

async function store(tenantId: number, id: string, messages: readonly Told[]): Promise<void> {
  const at = (minute: number | undefined) =>
    minute === undefined ? null : new Date(Date.UTC(2026, 10, 1, 9, minute)).toISOString();
  for (const [no, { name, state, reason = null, sent, opened, clicked, kind = 'direct' }] of messages.entries())
    await t.db.background.run(sql`
      insert into message (tenant_id, message_id, kind, state, reason, contact_id, address, email_id, queued_at, sent_at, first_opened_at,
        first_clicked_at, due_at)
      values (${tenantId}, gen_random_uuid(), ${kind}, ${state}, ${reason}, ${(name && ids[name]) ?? null}::uuid,
        ${name ? `${name}@x.de` : null}, decode(${id}, 'hex'), ${at(no)}::timestamptz, ${at(sent)}::timestamptz,
        ${at(opened)}::timestamptz, ${at(clicked)}::timestamptz, '2099-01-01')`);
}

const path = () => `/v2/emails/${emailId}/recipients`;
async function namesOf(query: Record<string, string>): Promise<(string | null)[]> {
  const { status, body } = await tenant.get(`${path()}?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.recipients.map(({ email }: { email: string | null }) => email?.slice(0, 3) ?? null);
}

describe('the recipients of an email', () => {
  it('are one for each message but tests, newest first, with names and what they did', async () => {
    expect(await namesOf({})).toEqual([null, 'gus', 'fay', 'eve', 'dan', 'cyd', 'bob', 'ada']);
    const { body } = await tenant.get(`${path()}?search=ada`);
    expect(body.data).toEqual({
      cursor: null,
      recipients: [
        {
          messageId: expect.stringMatching(/^[0-9a-f]{32}$/),
          ...{ kind: 'direct', state: 'delivered', reason: null, contactId: ids.ada, email: 'ada@x.de' },
          ...{ firstName: 'ADA', lastName: '100%', language: null, journeyId: null },
          ...{ queuedAt: '2026-11-01T09:00:00.000Z', sentAt: '2026-11-01T09:10:00.000Z', deliveredAt: null },
          ...{ firstOpenedAt: '2026-11-01T09:30:00.000Z', firstClickedAt: '2026-11-01T09:31:00.000Z', bouncedAt: null },
        },
      ],
    });
  });

  it.each([
    ['received', ['bob', 'cyd', 'ada', null]],
    ['opened', ['ada', 'bob']],
    ['clicked', ['ada']],
    ['notOpened', ['cyd', null]],
    ['bounced', ['dan']],
    ['notSent', ['eve']],
    ['waiting', ['fay']],
  ])('that are %s come in the order of that', async (group, expected) => {
    expect(await namesOf({ group })).toEqual(expected);
  });

  it('are found by a part of a name or address, whose characters are literal', async () => {
    expect(await namesOf({ search: 'BO' })).toEqual(['bob']);
    expect(await namesOf({ search: 'cyd@x' })).toEqual(['cyd']);
    expect(await namesOf({ search: '0%', group: 'opened' })).toEqual(['ada', 'bob']);
    expect(await namesOf({ search: '_' })).toEqual([]);
  });

  it.each(['', 'received', 'notSent', 'opened'])('are read on with a cursor, each once: %s', async (group) => {
    const query = group === '' ? {} : { group };
    const all = await namesOf(query);
    const seen: (string | null)[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const asked = new URLSearchParams({ ...query, limit: '1', after });
      const { recipients, cursor } = (await tenant.get(`${path()}?${asked}`)).body.data;
      seen.push(...recipients.map(({ email }: { email: string | null }) => email?.slice(0, 3) ?? null));
      after = cursor;
    }
    expect(seen).toEqual(all);
  });

  it.each(['nonsense', 'MjAyNg', Buffer.from('2026-11-01T09:00:00.000Z 1').toString('base64url')])(
    'are not read on from %s',
    async (after) => {
      const { status, body } = await tenant.get(`${path()}?after=${after}`);
      expect([status, body.errors[0].detail]).toEqual([400, 'after']);
    },
  );

  it('are of one workspace, and of an email that is there', async () => {
    const other = await t.tenant();
    expect((await other.get(path())).status).toBe(404);
    expect((await tenant.get('/v2/emails/nonsense/recipients')).status).toBe(404);
    expect((await tenant.get(`${path()}?group=others`)).status).toBe(400);
    const empty = await makeEmail(tenant);
    expect((await tenant.get(`/v2/emails/${empty}/recipients`)).body.data).toEqual({ recipients: [], cursor: null });
  });

  it('have no name and address once they are erased, and stay', async () => {
    const own = await tenantWithDomain(t, [{ email: 'zoe@x.de', properties: { first_name: 'Zoe' } }]);
    const [{ id: zoe }] = (await own.get('/v2/contacts')).body.data;
    ids.zoe = zoe;
    const sent = await makeEmail(own);
    await store(own.tenantId, sent, [{ name: 'zoe', state: 'sent', sent: 1 }]);
    await own.done(await own.delete(`/v2/contacts/${zoe}`));
    const [row] = (await own.get(`/v2/emails/${sent}/recipients`)).body.data.recipients;
    expect(row).toMatchObject({ contactId: null, email: null, firstName: null, lastName: null, state: 'sent' });
  });
});

describe('a file of recipients', () => {
  const file = (query = '') => tenant.get(`/exports/emails/${emailId}/recipients${query}`);

  it('has all of them, or a group, and is in the audit log without the search', async () => {
    const { headers, text } = await file();
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="recipients-all-${emailId}.csv"`,
    });
    const [header, ...rows] = parse(text) as string[][];
    expect(header?.slice(0, 6)).toEqual(['email', 'firstName', 'lastName', 'state', 'reason', 'sentAt']);
    expect(rows.map(([email]) => email?.slice(0, 3))).toEqual(['', 'gus', 'fay', 'eve', 'dan', 'cyd', 'bob', 'ada']);
    const opened = parse((await file('?group=opened&search=ada')).text) as string[][];
    expect(opened.slice(1).map(([email]) => email)).toEqual(['ada@x.de']);
    expect((await auditOf(t, tenant.tenantId, 'report.')).at(-1)).toMatchObject({
      subject: 'recipients',
      detail: JSON.stringify({ id: emailId, group: 'opened', hasSearch: true }),
    });
  });

  it('has everyone once, over many reads', async () => {
    const many = await makeEmail(tenant);
    await t.db.background.run(sql`
      insert into message (tenant_id, message_id, kind, state, address, email_id, queued_at, sent_at)
      select ${tenant.tenantId}, gen_random_uuid(), 'direct', 'sent', i || '@x.de', decode(${many}, 'hex'), now(), now()
      from generate_series(1, 4100) i`);
    const rows = parse((await tenant.get(`/exports/emails/${many}/recipients?group=received`)).text) as string[][];
    expect(new Set(rows.slice(1).map(([email]) => email)).size).toBe(4100);
    expect(rows).toHaveLength(4101);
  });

  it('is refused without READ, and for an email that is not there', async () => {
    const writer = await t.tenant({ scopes: ['WRITE'] });
    expect((await writer.get(`/exports/emails/${emailId}/recipients`)).status).toBe(403);
    expect((await (await t.tenant()).get(`/exports/emails/${emailId}/recipients`)).status).toBe(404);
    expect((await file('?group=others')).status).toBe(400);
  });
});

describe('among 30,000 messages of an email', () => {
  const tenantId = 7;
  const big = '000000000000000000000007';

  beforeAll(async () => {
    await t.db.background.run(sql`
      insert into message (tenant_id, message_id, kind, state, address, email_id, queued_at, sent_at, first_opened_at, first_clicked_at)
      select ${tenantId}, lpad(to_hex(i), 32, '0')::uuid, 'direct',
        case when i > 400 then 'sent' when i > 300 then 'bounced' when i > 200 then 'skipped' else 'sent' end, i || '@x.test',
        decode(${big}, 'hex'), now() - interval '1 day' + i * interval '1 s', now(),
        case when i <= 200 then now() end, case when i <= 100 then now() end
      from generate_series(1, 30000) i`);
    // Newer ones of another email, which nothing should walk over.
    await t.db.background.run(sql`
      insert into message (tenant_id, message_id, kind, state, address, email_id, queued_at, sent_at)
      select ${tenantId}, gen_random_uuid(), 'direct', 'sent', i || '@x.test', decode(${'8'.repeat(24)}, 'hex'), now() - interval '1 hour', now()
      from generate_series(1, 10000) i`);
    await t.db.background.run(sql`analyze message`);
  });

  it.each([
    ['opened', 'message_of_email_opened'],
    ['clicked', 'message_of_email_clicked'],
    ['received', 'message_of_email_sent'],
    ['notOpened', 'message_of_email_sent'],
    ['bounced', 'message_of_email_unsent'],
    ['notSent', 'message_of_email_unsent'],
    ['waiting', 'message_in_state'],
    [undefined, 'message_of_email'],
  ] as const)('those that are %s are read from the index %s', async (group, index) => {
    let plan = '';
    const rows = async ({ text, values }: Sql) => {
      const lines = await t.db
        .slow(tenantId)
        .rows(new Sql<Record<string, string>>(`explain (costs off) ${text}`, '', values));
      plan = lines.map((line) => Object.values(line)[0]).join('\n');
      return [];
    };
    const after = { at: new Date().toISOString(), messageId: 'f'.repeat(32) };
    const asked: RecipientsAsked = { emailId: big, group, search: undefined, after, limit: 51 };
    await selectRecipients({ rows } as unknown as Database, tenantId, asked);
    expect(plan).toContain(`Index Scan using ${index} on message`);
    expect(plan).not.toMatch(/Seq Scan on message/);
  });
});
