import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import type { ShownEntry } from '../../../../test/enrolments.js';
import { sendEvents } from '../../../../test/events.js';
import { makeActive, makeJourney } from '../../../../test/journeys.js';
import { bytes, Sql, sql } from '../../../db/sql.js';
import { newAssetId, newContactId } from '../../../lib/ids.js';
import { makeCopies, putMembers, putProperties } from './queries.js';

// At work, so that writes are applied: a journey that is not active moves nobody.
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

const inProgress = (journeyId: string) => ({ journeyId, state: 'inProgress' });

async function contacts(...all: { email: string; properties?: Record<string, unknown> }[]): Promise<string[]> {
  const done = await tenant.done(await tenant.post('/v2/contacts/batch', { contacts: all }));
  return done.data.results.map((row: { contactId: string }) => row.contactId);
}

const makeList = async (name: string, of = tenant): Promise<string> =>
  (await of.post('/v2/lists', { name })).body.data.staticListId;
type Json = Record<string, unknown>;
const api = { api: true };
const simulate = async (definition: Json, body: Json = {}, type = 'trigger') => {
  const id = await makeJourney(tenant, { type, definition });
  return tenant.post(`/v2/journeys/${id}/simulate`, body);
};
const told = (contact: { timeline: { what: string; stepId?: string }[] }) =>
  contact.timeline.map(({ what, stepId }) => (stepId ? `${what} ${stepId}` : what));
const from = '2030-01-07T08:00:00.000Z';
const at = (hours: number) => new Date(Date.parse(from) + hours * 3_600_000).toISOString();

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

  it('that begins now takes an event of just now, whoever’s clock it is by', async () => {
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
      { at: at(0), what: 'entered', detail: 'Enters at the beginning.' },
      { at: at(0), what: 'step', stepId: 'hello' },
      { at: at(0), what: 'message', stepId: 'hello', detail: 'Queued.' },
      { at: at(0), what: 'step', stepId: 'wait' },
      { at: at(0), what: 'waiting', stepId: 'wait', detail: `Waits until ${at(48)}.` },
      { at: at(48), what: 'step', stepId: 'pro' },
      { at: at(48), what: 'branch', stepId: 'pro', detail: 'Case 1 of 1: The contact\'s property "plan" is "pro".' },
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

  it('takes people out of another journey, and filters see that they have left', async () => {
    const other = await makeActive(tenant, {
      definition: { entry: { api: true }, steps: [{ id: 'wait', type: 'delay', for: 'P1D' }] },
    });
    await tenant.post(`/v2/journeys/${other}/enroll`, { contactIds: [ada] });
    const { body } = await simulate(
      {
        entry: { api: true },
        steps: [
          { id: 'in', type: 'branch', cases: [{ filter: inProgress(other), next: 'leave' }], otherwise: 'leave' },
          { id: 'leave', type: 'leaveJourney', journeyId: other },
          { id: 'wait', type: 'delay', for: 'PT1H' },
          { id: 'out', type: 'branch', cases: [{ filter: inProgress(other), next: null }], otherwise: 'again' },
          { id: 'again', type: 'leaveJourney', journeyId: other },
        ],
      },
      { contactIds: [ada, bob], from },
    );
    const details = body.data.contacts.map(({ timeline }: { timeline: ShownEntry[] }) =>
      timeline.map(({ detail }) => detail).filter((detail) => detail?.includes(other)),
    );
    const [leaves, vain] = [
      `Takes the contact out of the journey ${other}.`,
      `The contact was not in the journey ${other}.`,
    ];
    expect(details).toEqual([
      [expect.stringContaining('Case 1 of 1'), leaves, leaves, vain],
      [leaves, vain, leaves, vain],
    ]);
    const { data } = (await tenant.get(`/v2/journeys/${other}/enrolments`)).body;
    expect(data).toEqual([expect.objectContaining({ state: 'active' })]);
  });

  it('ends the other passages of a contact where the journey names itself', async () => {
    const id = await makeJourney(tenant);
    const definition = {
      ...{ entry: { event: { eventName: 'go' } }, reentry: 'always' },
      steps: [
        { id: 'leave', type: 'leaveJourney', journeyId: id },
        { id: 'wait', type: 'delay', for: 'P1D' },
      ],
    };
    const events = [1, 2].map((hours) => ({ contactId: ada, eventName: 'go', at: at(hours) }));
    const { body } = await tenant.post(`/v2/journeys/${id}/simulate`, { contactIds: [ada], from, definition, events });
    expect(body.data.contacts.map(({ endedAs }: Json) => endedAs)).toEqual(['exited', 'completed']);
  });

  it('lets given events start and end waits, each subject to where and reentry', async () => {
    const definition = {
      entry: { event: { eventName: 'ordered', where: { eventProperty: 'total', gt: 10 } } },
      reentry: 'afterExit',
      steps: [
        {
          id: 'paid',
          type: 'waitUntil',
          branches: [
            { event: { eventName: 'paid', where: { eventProperty: 'order', is: { entry: 'order' } } }, next: 'thanks' },
          ],
          timeout: 'P1D',
          onTimeout: null,
        },
        { id: 'thanks', type: 'exit', reason: 'paid' },
      ],
    };
    const ordered = (hours: number, order: number, total: number, contactId = ada) => ({
      ...{ contactId, eventName: 'ordered', at: at(hours), properties: { order, total } },
    });
    const { body } = await simulate(definition, {
      contactIds: [ada, bob],
      from,
      until: at(100),
      events: [
        ordered(1, 1, 20),
        ordered(2, 2, 20), // Still on the way.
        { contactId: ada, eventName: 'paid', at: at(3), properties: { order: 2 } },
        { contactId: ada, eventName: 'paid', at: at(4), properties: { order: 1 } },
        ordered(50, 3, 20),
        ordered(98, 4, 20),
        ordered(1, 5, 5, bob), // Too little.
      ],
    });
    const { contacts: all, steps } = body.data;
    expect(all.map(({ contactId, endedAs }: Json) => [contactId, endedAs])).toEqual([
      [ada, 'exited'],
      [ada, 'completed'],
      [ada, null],
      [bob, null],
    ]);
    expect(all.map((one: Json) => one.entered)).toEqual([true, true, true, false]);
    expect(all[0].timeline.at(-1)).toMatchObject({ at: at(4), what: 'exited' });
    expect(all[1].timeline.at(-1)).toMatchObject({ at: at(74), what: 'completed' });
    expect(steps).toEqual([
      { stepId: 'paid', entered: 3, left: 2 },
      { stepId: 'thanks', entered: 1, left: 1 },
    ]);
  });

  it('goes through recorded events again, at their dates', async () => {
    const days = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString();
    const [first, second] = [days(5), days(2)];
    await sendEvents(tenant, [
      { email: 'ada@x.io', eventName: 'ordered', eventDate: first },
      { email: 'ada@x.io', eventName: 'paid', eventDate: second },
      { email: 'bob@x.io', eventName: 'ordered', eventDate: days(40) },
    ]);
    const { body } = await simulate(
      {
        entry: { event: { eventName: 'ordered' } },
        steps: [
          {
            id: 'w',
            type: 'waitUntil',
            branches: [{ filter: { event: 'paid', atLeast: 1 }, next: 'x' }],
            timeout: 'P30D',
            onTimeout: null,
          },
          { id: 'x', type: 'exit' },
        ],
      },
      { from: days(10) },
    );
    expect(body.data.contacts).toHaveLength(1);
    expect(body.data.contacts[0]).toMatchObject({ contactId: ada, endedAs: 'exited' });
    const { timeline } = body.data.contacts[0];
    expect([timeline[0].at, timeline.at(-1).at]).toEqual([first, second]);
  });

  it('looks at filters when the clock alone changes them', async () => {
    await sendEvents(tenant, [{ email: 'ada@x.io', eventName: 'seen', eventDate: '2029-12-31T12:00:00.000Z' }]);
    const { body } = await simulate(
      {
        entry: api,
        exitWhen: { event: 'seen', withinLast: 'P7D', atMost: 0 },
        steps: [{ id: 'wait', type: 'delay', for: 'P30D' }],
      },
      { contactIds: [ada], from: '2030-01-01T00:00:00.000Z' },
    );
    const { endedAs, timeline } = body.data.contacts[0];
    expect(endedAs).toBe('exited');
    expect(timeline.at(-1).at).toBe('2030-01-07T12:00:00.001Z');
  });

  it('keeps caps and windows as live', async () => {
    const mail = (id: string, more = {}) => ({ id, type: 'sendEmail', emailId, ...more });
    const { body } = await simulate(
      {
        entry: api,
        cap: { messages: 1, per: 'P2D' },
        window: { from: '09:00', to: '18:00', timeZone: 'UTC' },
        steps: [
          mail('one'),
          mail('two'),
          mail('sure', { transactional: true }),
          { id: 'wait', type: 'delay', for: 'P3D' },
          mail('three'),
        ],
      },
      { contactIds: [ada], from },
    );
    const notes = body.data.contacts[0].timeline.filter(({ what }: Json) => what === 'message');
    expect(notes.map(({ stepId, detail }: Json) => [stepId, detail])).toEqual([
      ['one', `Queued; leaves when the window opens at ${at(1)}.`],
      ['two', 'Not sent: capped.'],
      ['sure', 'Queued.'],
      ['three', `Queued; leaves when the window opens at ${at(73)}.`],
    ]);
  });

  it('lets webhooks answer 200 without a body, and at once', async () => {
    const { body } = await simulate(
      { entry: api, steps: [{ id: 'call', type: 'webhook', url: 'https://example.com/x' }] },
      { contactIds: [ada], from },
    );
    expect(body.data.contacts[0].timeline.map(({ what, detail }: Json) => [what, detail]).slice(2)).toEqual([
      ['webhook', 'Calls example.com.'],
      ['webhook', 'Answered 200 without JSON.'],
      ['completed', undefined],
    ]);
  });
});

describe('who takes part', () => {
  const wait = { entry: api, steps: [{ id: 'wait', type: 'delay', for: 'P1D' }] };
  const whoIn = ({ body }: Awaited<ReturnType<typeof simulate>>) =>
    body.data.contacts.map(({ contactId }: Json) => contactId).sort();

  it('is everybody where there are fewer than a sample wants', async () => {
    expect(whoIn(await simulate(wait))).toEqual([ada, bob].sort());
    expect(whoIn(await simulate(wait, { sample: 1 }))).toHaveLength(1);
  });

  it('is a sample of the audience of a batch journey', async () => {
    const listId = await makeList('Some');
    await tenant.post(`/v2/lists/${listId}/members`, { contactIds: [bob] });
    const batch = { ...wait, entry: { audience: { staticListId: listId } } };
    expect(whoIn(await simulate(batch, { sample: 5 }, 'batch'))).toEqual([bob]);
  });

  it('is a sample from all over many contacts, each once, and the members of a large list', async () => {
    const listId = await makeList('Many');
    // In portions: a statement has a time limit.
    for (let from = 1; from <= 25_000; from += 5000)
      await t.db.transaction((tx) =>
        tx.run(sql`
          with made as (
            insert into contact (tenant_id, contact_id, email, created_at, updated_at, search_text)
            select ${tenant.tenantId}, md5(n::text)::uuid, n || '@many.io', now(), now(), n || '@many.io'
            from generate_series(${from}::int, ${from + 4999}::int) n returning contact_id
          )
          insert into list_member (tenant_id, list_id, contact_id)
          select ${tenant.tenantId}, ${bytes(listId)}::bytea, contact_id from made
          where contact_id > '80000000-0000-0000-0000-000000000000'`),
      );
    await t.db.transaction((tx) =>
      tx.run(sql`insert into counter_delta (tenant_id, counter, delta) values (${tenant.tenantId}, 'contacts', 25000)`),
    );
    const some = whoIn(await simulate(wait, { sample: 200 }));
    expect(new Set(some).size).toBe(200);
    const half = some.filter((contactId: string) => contactId > '8').length;
    expect(half).toBeGreaterThan(50);
    expect(half).toBeLessThan(150);
    const batch = { ...wait, entry: { audience: { staticListId: listId } } };
    const members = whoIn(await simulate(batch, { sample: 200 }, 'batch'));
    expect(new Set(members).size).toBe(200);
    expect(members.every((contactId: string) => contactId > '8')).toBe(true);
  });

  it('is whoever is named in events, too', async () => {
    const events = [{ contactId: bob, eventName: 'x', at: from }];
    expect(whoIn(await simulate(wait, { sample: 1, from, events }))).toEqual([bob]);
  });
});

describe('a simulation is refused', () => {
  const wait = { entry: api, steps: [{ id: 'wait', type: 'delay', for: 'P1D' }] };
  const refusal = async (body: Json, definition: Json = wait) => {
    const { status, body: answer } = await simulate(definition, body);
    return [status, answer.errors[0].errorCode, answer.errors[0].detail ?? answer.errors[0].message];
  };

  it('for unknown contacts, naming the first', async () => {
    const gone = newContactId();
    expect(await refusal({ contactIds: [ada, gone, 'nobody'] })).toEqual([
      400,
      'BAS-E-002',
      `contactIds: ${gone}, nobody`,
    ]);
  });

  it('for periods that are reversed or too long, and events outside or of others', async () => {
    expect(await refusal({ from, until: at(-1) })).toEqual([400, 'VALIDATION_ERROR', 'until']);
    expect(await refusal({ from, until: '2041-01-01' })).toEqual([400, 'VALIDATION_ERROR', 'until']);
    const event = { contactId: ada, eventName: 'x', at: at(-1) };
    expect(await refusal({ contactIds: [ada], from, events: [event] })).toEqual([
      400,
      'VALIDATION_ERROR',
      'events[0].at',
    ]);
    const other = { ...event, at: from, contactId: bob };
    expect(await refusal({ contactIds: [ada], from, events: [other] })).toEqual([
      400,
      'VALIDATION_ERROR',
      'events[0].contactId',
    ]);
    expect(await refusal({ contactIds: [ada], sample: 3 })).toEqual([400, 'VALIDATION_ERROR', 'sample']);
  });

  it('for definitions with faults, naming each, references too', async () => {
    const definition = {
      entry: api,
      steps: [
        { id: 'a', type: 'sendEmail', emailId: newAssetId() },
        { id: 'b', type: 'delay', for: 'soon' },
      ],
    };
    const { status, body } = await simulate(wait, { definition });
    expect(status).toBe(400);
    const told = body.errors.map(({ message }: Json) => message).join(' ');
    expect(told).toContain('definition.steps[0].emailId');
    expect(told).toContain('definition.steps[1].for');
  });

  it('when it takes too many steps', async () => {
    const circle = { entry: api, steps: [{ id: 'w', type: 'delay', for: 'PT1M', next: 'w' }] };
    const [status, code, field] = await refusal({ contactIds: [ada] }, circle);
    expect([status, code, field]).toEqual([400, 'VALIDATION_ERROR', 'until']);
  });

  it('for journeys that there are not', async () => {
    expect((await tenant.post(`/v2/journeys/${newAssetId()}/simulate`, {})).status).toBe(404);
    expect((await tenant.post('/v2/journeys/none/simulate', {})).status).toBe(404);
  });
});

describe('a simulation writes nothing', () => {
  // Without workers and their chores: nobody else writes.
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
