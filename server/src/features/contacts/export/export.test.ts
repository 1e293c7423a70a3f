import { ContactExport } from '@rapport/contract';
import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { auditOf } from '../../../../test/audit.js';
import { makeContact } from '../../../../test/events.js';
import { type KnownPerson, makeKnownPerson } from '../../../../test/everything.js';
import { type Sql, sql } from '../../../db/sql.js';
import type { Person } from './exporter.js';
import { ownSections } from './own-sections.js';

const t = useApp({ work: true });
const sections = Object.keys(ContactExport.properties);
const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

let zoe: KnownPerson;
beforeAll(async () => {
  zoe = await makeKnownPerson(t);
});

const exported = async ({ tenant, id }: KnownPerson) => {
  const { status, body, text } = await tenant.get(`/v2/contacts/${id}/export`);
  if (status !== 200) throw new Error(text);
  return body;
};

it('has everything that is kept about a person, in the envelope', async () => {
  const { data, ...rest } = await exported(zoe);
  expect(rest).toEqual({ errors: [], meta: { status: 'SUCCESS', timestamp: at } });
  expect(Object.keys(data).sort()).toEqual([...sections].sort());
  expect(sections.filter((name) => data[name].length === 0)).toEqual([]);
  const contact = (await zoe.tenant.get(`/v2/contacts/${zoe.id}`)).body.data;
  expect(data).toMatchObject({
    contact,
    propertyChanges: [{ field: 'plan', oldValue: 'pro', newValue: 'team', source: 'api', changedAt: at }],
    productUsers: [{ userId: 'zoe-1', organizations: [{ orgId: 'acme', name: 'Acme', joinedAt: at }] }],
    productEvents: [
      { eventName: 'opened', eventId: null, userId: null },
      { eventName: 'exported', eventId: 'e-1', eventDate: '2026-11-01T10:00:00.000Z', eventProperties: { rows: 3 } },
    ],
    waitingTraits: [{ userId: 'zoe-1', traits: { plan: 'pro' } }],
    refusedCalls: [{ userId: 'zoe-1', reason: 'It has no event.' }],
    staticLists: [{ name: 'Newsletter', addedAt: at }],
    dynamicLists: [{ name: 'Teams', joinedAt: at }],
    leftLists: [{ leftAt: at }],
    emailVersions: [{ assetId: zoe.tenant.emailId, html: expect.stringContaining('For Zoë alone') }],
    versionActivity: [{ assetId: zoe.tenant.emailId, outcome: 'stored', reason: null }],
    messages: [
      {
        ...{ state: 'sent', email: zoe.email, words: { data: { order: 'A-17' } }, version: 'personalized' },
        content: { html: expect.stringContaining('For Zoë alone') },
        timeline: [{ what: 'queued' }, { what: 'sending' }, { what: 'sent' }].filter(({ what }) => what !== 'sending'),
        attempts: [{ outcome: 'sent' }],
      },
      { kind: 'test', email: 'staff@example.com' },
    ],
    suppressions: [{ email: zoe.email, reason: 'manual', createdAt: at }],
    topics: [{ key: 'news', state: 'subscribed', since: at, source: 'api' }],
    consentLog: [{ state: 'subscribed', source: 'api', text: 'Zoë agrees', at }],
    formSubmissions: [{ outcome: 'accepted', values: { email: zoe.email, first_name: 'Zoë' }, at }],
    journeys: [{ journeyName: 'A journey', state: 'active', stepId: 'wait', timeline: [{ what: 'entered' }, {}, {}] }],
    journeyNews: [{ kind: 'event', data: { eventName: 'exported' } }],
    journeyDates: [{ dueAt: '2099-01-01T00:00:00.000Z' }],
    journeyRuns: [{ runAt: at }],
    webhookDeliveries: [{ type: 'message.sent', url: 'https://example.com/hook', body: '{"name": "Zoë"}' }],
    agentPlans: [{ action: 'change', arguments: { properties: { city: 'Zoë’s' } }, appliedAt: null }],
    failedWrites: [{ item: 3, error: 'It is too long.', cells: [zoe.email, 'Zoë'] }],
    importRows: [{ row: 11, content: { email: 'ZOE@EXAMPLE.COM', properties: { seats: 4 } } }],
  });
  expect(data.marketingActivity.map(({ eventName }: { eventName: string }) => eventName)).toContain('sent');
  expect(data.outboxMessages.map(({ to }: { to: string }) => to)).toEqual([zoe.email, 'staff@example.com']);
});

it('shows nothing about others, and has every section even if nothing is known', async () => {
  const id = await makeContact(zoe.tenant, 'max@example.com');
  const { data } = await exported({ ...zoe, id });
  const { importRows, contact, ...others } = data;
  expect(contact).toMatchObject({ id, email: 'max@example.com' });
  expect(importRows).toMatchObject([{ row: 10 }]);
  expect(Object.values(others).flat()).toEqual([]);
});

it('is recorded in the audit log, by id only', async () => {
  await exported(zoe);
  const [entry] = (await auditOf(t, zoe.tenant.tenantId, 'contact.exported')).slice(-1);
  expect(entry).toMatchObject({ subject: zoe.id, detail: '{}', accountId: expect.any(Number), address: '127.0.0.1' });
});

it('does not exist for a contact of another tenant, or one that never existed', async () => {
  const other = await t.tenant();
  for (const id of [zoe.id, '0'.repeat(32), 'zoe']) {
    const { status, text } = await other.get(`/v2/contacts/${id}/export`);
    expect(status).toBe(400);
    expect(text).toContain('BAS-E-002');
  }
  expect(await auditOf(t, other.tenantId, 'contact.exported')).toEqual([]);
  expect((await zoe.tenant.get(`/v1/contacts/${zoe.id}/export`)).status).toBe(404);
  const writer = await t.tenant({ scopes: ['WRITE'] });
  expect((await writer.get(`/v2/contacts/${zoe.id}/export`)).status).toBe(403);
});

it('is of no contact when the person is erased while it is read', async () => {
  const contact = ownSections.find(({ name }) => name === 'contact');
  const { tenantId } = zoe.tenant;
  const person = { id: '0'.repeat(32), email: 'gone@example.com' } as Person;
  const read = async () => {
    for await (const row of contact?.read(t.db, tenantId, person) ?? []) return row;
  };
  await expect(read()).rejects.toMatchObject({ code: 'BAS-E-002' });
});

/** For each table that an erasure changes: where the export shows its rows, or why it need not. */
const shownIn: Record<string, string> = {
  ...{
    contact: 'contact',
    contact_change: 'propertyChanges',
    write_failure: 'failedWrites',
    import_chunk: 'importRows',
  },
  ...{ product_user: 'productUsers', org_membership: 'productUsers', user_write: 'productUserWrites' },
  ...{ waiting_user: 'waitingTraits', ingest_refusal: 'refusedCalls', event: 'productEvents' },
  ...{ list_member: 'staticLists', dynamic_member: 'dynamicLists', list_departure: 'leftLists' },
  ...{ email_version: 'emailVersions', email_activity: 'versionActivity', outbox_message: 'outboxMessages' },
  marketing_activity: 'marketingActivity',
  ...{ contact_topic: 'topics', consent_log: 'consentLog', form_submission: 'formSubmissions' },
  ...{ message: 'messages', message_event: 'messages', message_content: 'messages', suppression: 'suppressions' },
  ...{
    enrolment: 'journeys',
    enrolment_event: 'journeys',
    enrolment_turn: 'journeys',
    journey_news: 'journeyNews',
    journey_date: 'journeyDates',
  },
  ...{ journey_run_chunk: 'journeyRuns', webhook_delivery: 'webhookDeliveries', agent_plan: 'agentPlans' },
  // For an event write: the ids in its results.
  write_transaction: 'productEvents',
};
const notShown: Record<string, string> = {
  contact_search: 'made of the email and the name',
  contact_search_queue: 'an id that waits for that',
  event_count: 'how many events there are',
  event_arrival: 'which events came last; they are among productEvents',
  dynamic_due: 'when a list looks again',
  message_link: 'addresses of links that were clicked; the click is in the timeline of its message',
  idempotency_key: 'answers of previews, in no form that could be searched; gone after a day',
};

/** The statements of the transaction that erases a person. */
async function statementsOf(erase: () => Promise<unknown>): Promise<string[]> {
  const { background } = t.db;
  const { transaction } = background;
  const all: string[][] = [];
  const watch: typeof transaction = (work, options) =>
    transaction((tx) => {
      const texts: string[] = [];
      all.push(texts);
      const noted = (statement: Sql) => {
        texts.push(statement.text);
        return statement;
      };
      return work(
        Object.assign(Object.create(tx), {
          rows: (statement: Sql) => tx.rows(noted(statement)),
          row: (statement: Sql) => tx.row(noted(statement)),
          run: (statement: Sql) => tx.run(noted(statement)),
        }),
      );
    }, options);
  Object.assign(background, { transaction: watch });
  try {
    await erase();
  } finally {
    Object.assign(background, { transaction });
  }
  return all.find((texts) => texts.some((text) => text.includes('delete from contact where'))) ?? [];
}

it('has a section for every table that an eraser writes to, and after the erasure there is nothing to show', async () => {
  const texts = await statementsOf(async () => zoe.tenant.done(await zoe.tenant.delete(`/v2/contacts/${zoe.id}`)));
  const written = texts.flatMap((text) =>
    [...text.matchAll(/\b(?:delete from|update) (\w+)/g)].map(([, table]) => table as string),
  );
  const touched = new Set(written.filter((table) => !['set', 'skip', 'nowait', 'of'].includes(table)));
  expect([...touched].filter((table) => !(table in shownIn || table in notShown))).toEqual([]);
  expect(Object.keys(shownIn).filter((table) => !touched.has(table))).toEqual([]);

  expect((await zoe.tenant.get(`/v2/contacts/${zoe.id}/export`)).status).toBe(400);
  // Reuses the id and the address, to see what they would still find.
  await t.db.run(sql`
    insert into contact (tenant_id, contact_id, email, created_at, updated_at, search_text)
    values (${zoe.tenant.tenantId}, ${zoe.id}, ${zoe.email}, now(), now(), '')`);
  const { data } = await exported(zoe);
  // The hash of a suppressed address survives, and activity stays under an id that no longer leads to a person.
  const left = sections.filter((name) => name !== 'contact' && data[name].length > 0);
  expect(left.sort()).toEqual(['marketingActivity', 'suppressions']);
});
