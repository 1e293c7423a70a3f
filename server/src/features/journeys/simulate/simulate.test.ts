import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import type { ShownEntry } from '../../../../test/enrolments.js';
import { api, at, from, type Json, simulationsOf, told } from '../../../../test/journeys/simulate.js';
import { makeActive, makeJourney } from '../../../../test/journeys.js';
import { Sql, sql } from '../../../db/sql.js';
import { newAssetId, newContactId } from '../../../lib/ids.js';
import { makeCopies, putMembers, putProperties } from './queries.js';

// At work, so that writes are applied: a journey that is not active moves no contacts.
const t = useApp({ work: true });

let tenant: TenantClient;
let emailId: string;
let ada: string;
let bob: string;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
  emailId = await makeEmail(tenant);
  [ada, bob] = (await contacts({ email: 'ada@x.io', properties: { plan: 'pro' } }, { email: 'bob@x.io' })) as [
    string,
    string,
  ];
});

const { contacts, makeList, simulate } = simulationsOf(() => tenant);

const _inProgress = (journeyId: string) => ({ journeyId, state: 'inProgress' });

describe('a simulation', () => {
  it('goes round in an hourly circle for a year, and is not ended for taking too long', async () => {
    const staticListId = await makeList('Round and round');
    const steps = [
      { id: 'add', type: 'addToList', staticListId },
      { id: 'wait', type: 'delay', for: 'PT1H', next: 'add' },
    ];
    const exitWhen = { property: 'plan', is: 'gone' };
    const { status, body } = await simulate({ entry: api, steps, exitWhen }, { contactIds: [ada, bob] });
    expect([status, body.data?.steps]).toEqual([
      200,
      [
        { stepId: 'add', entered: 2 * 8761, left: 2 * 8761 },
        { stepId: 'wait', entered: 2 * 8761, left: 2 * 8760 },
      ],
    ]);
  }, 240_000);

  it('that begins now takes an event of just now, by the clock of the test or of the database', async () => {
    const { status, body } = await simulate(
      { entry: { event: { eventName: 'bought' } }, steps: [{ id: 'out', type: 'exit' }] },
      { contactIds: [ada], events: [{ contactId: ada, eventName: 'bought', at: new Date().toISOString() }] },
    );
    expect([status, body.data.contacts.map(told)]).toEqual([200, [['entered', 'step out', 'exited out']]]);
  });

  it('takes contacts through the steps on a virtual clock', async () => {
    const { status, body } = await simulate(
      {
        entry: api,
        steps: [
          { id: 'hello', type: 'sendEmail', emailId },
          { id: 'wait', type: 'delay', for: 'P2D' },
          {
            id: 'pro',
            type: 'branch',
            cases: [{ filter: { property: 'plan', is: 'pro' }, next: 'thanks' }],
            otherwise: null,
          },
          { id: 'thanks', type: 'exit', reason: 'pro' },
        ],
      },
      { contactIds: [ada, bob], from },
    );
    expect(status).toBe(200);
    expect(
      body.data.contacts.map(({ contactId, entered, endedAs }: Json) => ({ contactId, entered, endedAs })),
    ).toEqual([
      { contactId: ada, entered: true, endedAs: 'exited' },
      { contactId: bob, entered: true, endedAs: 'completed' },
    ]);
    const told = body.data.contacts[0].timeline.map(({ fact: _, ...line }: ShownEntry) => line);
    expect(told).toEqual([
      { at: at(0), what: 'entered', detail: 'They entered at the start.' },
      { at: at(0), what: 'step', stepId: 'hello' },
      { at: at(0), what: 'message', stepId: 'hello', detail: 'Queued.' },
      { at: at(0), what: 'step', stepId: 'wait' },
      { at: at(0), what: 'waiting', stepId: 'wait', detail: `Started a wait until ${at(48)}.` },
      { at: at(48), what: 'step', stepId: 'pro' },
      { at: at(48), what: 'branch', stepId: 'pro', detail: 'Case 1 of 1: The contact’s property “plan” is “pro”.' },
      { at: at(48), what: 'step', stepId: 'thanks' },
      { at: at(48), what: 'exited', stepId: 'thanks', detail: 'Reason: pro.' },
    ]);
    expect(body.data.steps).toEqual([
      { stepId: 'hello', entered: 2, left: 2 },
      { stepId: 'wait', entered: 2, left: 2 },
      { stepId: 'pro', entered: 2, left: 2 },
      { stepId: 'thanks', entered: 1, left: 1 },
    ]);
  });

  it('sees what it changes itself: properties, events and lists, of each contact alone', async () => {
    const staticListId = await makeList('VIP');
    const { body } = await simulate(
      {
        entry: api,
        steps: [
          { id: 'set', type: 'updateProperty', property: 'plan', value: 'gold' },
          { id: 'say', type: 'emitEvent', eventName: 'told', properties: { level: 3 } },
          { id: 'join', type: 'addToList', staticListId },
          {
            id: 'all',
            type: 'branch',
            cases: [
              {
                filter: {
                  all: [{ property: 'plan', is: 'gold' }, { event: 'told', atLeast: 1 }, { staticListId }],
                },
                next: 'leave',
              },
            ],
            otherwise: null,
          },
          { id: 'leave', type: 'removeFromList', staticListId },
          { id: 'gone', type: 'branch', cases: [{ filter: { staticListId }, next: null }], otherwise: 'out' },
          { id: 'out', type: 'exit' },
        ],
      },
      { contactIds: [ada], from },
    );
    expect(told(body.data.contacts[0])).toContain('exited out');
    const { data } = (await tenant.get(`/v2/contacts/${ada}`)).body;
    expect(data.properties.plan).toBe('pro');
  });

  it('sees who is on the way in it, and who was before', async () => {
    const id = await makeJourney(tenant);
    const definition = {
      entry: { event: { eventName: 'go' } },
      reentry: 'always',
      steps: [
        {
          id: 'b',
          type: 'branch',
          cases: [{ filter: { journeyId: id, state: 'completed' }, next: 'again' }],
          otherwise: 'c',
        },
        {
          id: 'c',
          type: 'branch',
          cases: [{ filter: { journeyId: id, state: 'inProgress' }, next: null }],
          otherwise: 'again',
        },
        { id: 'again', type: 'exit' },
      ],
    };
    const events = [1, 2].map((hours) => ({ contactId: ada, eventName: 'go', at: at(hours) }));
    const { body } = await tenant.post(`/v2/journeys/${id}/simulate`, { contactIds: [ada], from, definition, events });
    expect(body.data.contacts.map(({ endedAs }: Json) => endedAs)).toEqual(['completed', 'exited']);
  });
});

describe('a simulation writes nothing', () => {
  // Without workers and their chores, nothing else writes.
  const still = useApp();

  /** Every row of every table: where it lies, and which transaction wrote it. Uses of tokens are noted by themselves. */
  const everything = async () => {
    const tables = await still.db.rows(sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname <> 'access_token' order by 1`);
    const state = new Map<string, unknown>();
    for (const { name } of tables) {
      const rows = new Sql<object>(
        `select count(*), md5(string_agg(xmin::text || ctid::text, ',' order by ctid)) from "${name}"`,
        '',
        [],
      );
      state.set(name, await still.db.row(rows));
    }
    return state;
  };

  it('into any table', async () => {
    const own = await tenantWithDomain(still);
    const contactIds = [newContactId(), newContactId()];
    await still.db.transaction((tx) =>
      tx.run(sql`
        insert into contact (tenant_id, contact_id, email, created_at, updated_at, search_text)
        select ${own.tenantId}, id, id || '@x.io', now(), now(), '' from unnest(${contactIds}::uuid[]) id`),
    );
    const staticListId = await makeList('Kept', own);
    const definition = {
      entry: api,
      exitWhen: { property: 'plan', is: 'gone' },
      steps: [
        { id: 'set', type: 'updateProperty', property: 'plan', value: 'gold' },
        { id: 'say', type: 'emitEvent', eventName: 'told' },
        { id: 'in', type: 'addToList', staticListId },
        { id: 'mail', type: 'sendEmail', emailId: await makeEmail(own) },
        { id: 'wait', type: 'delay', for: 'P1D' },
      ],
    };
    const id = await makeActive(own, { definition });
    const before = await everything();
    for (let i = 0; i < 3; i++) {
      const { status, body } = await own.post(`/v2/journeys/${id}/simulate`, { contactIds });
      expect([status, body.data.contacts[0].endedAs]).toEqual([200, 'completed']);
    }
    expect(await everything()).toEqual(before);
    // On the very connections that simulated, the names mean the tables again.
    const { body } = await own.post('/v2/dynamic-lists/preview', { filter: { property: 'plan', is: 'gold' } });
    expect(body.data.count).toBe(0);
  });

  it('nor locks what others write', async () => {
    const seen: string[] = [];
    await t.db.rehearse(
      tenant.tenantId,
      async (tx) => {
        await makeCopies(tx);
        await putProperties(
          tx,
          tenant.tenantId,
          [{ contactId: ada, json: '{"plan":"x"}', field: 'plan', oldValue: 'pro', newValue: 'x' }],
          from,
        );
        await putMembers(tx, tenant.tenantId, [{ contactId: ada, staticListId: newAssetId(), what: 'add' }], from);
        await contacts({ email: 'ada@x.io', properties: { plan: 'free' } });
        const [row] = await tx.rows(sql<{ plan: string }>`
          select properties ->> 'plan' as plan from contact where tenant_id = ${tenant.tenantId} and contact_id = ${ada}::uuid`);
        seen.push(row?.plan ?? '');
      },
      'wait',
    );
    seen.push((await tenant.get(`/v2/contacts/${ada}`)).body.data.properties.plan);
    expect(seen).toEqual(['x', 'free']);
  });
});
