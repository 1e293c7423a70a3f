import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { sendEvents } from '../../../../test/events.js';
import { api, at, from, type Json, simulationsOf } from '../../../../test/journeys/simulate.js';
import { bytes, sql } from '../../../db/sql.js';
import { newAssetId, newContactId } from '../../../lib/ids.js';

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

describe('a simulation', () => {
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
      ['one', `Queued to be sent when the sending window opens at ${at(1)}.`],
      ['two', 'Not sent: capped.'],
      ['sure', 'Queued.'],
      ['three', `Queued to be sent when the sending window opens at ${at(73)}.`],
    ]);
  });

  it('lets webhooks answer 200 without a body, and at once', async () => {
    const { body } = await simulate(
      { entry: api, steps: [{ id: 'call', type: 'webhook', url: 'https://example.com/x' }] },
      { contactIds: [ada], from },
    );
    expect(body.data.contacts[0].timeline.map(({ what, detail }: Json) => [what, detail]).slice(2)).toEqual([
      ['webhook', 'Called example.com.'],
      ['webhook', 'Answered 200 without JSON.'],
      ['completed', undefined],
    ]);
  });
});

describe('who takes part', () => {
  const wait = { entry: api, steps: [{ id: 'wait', type: 'delay', for: 'P1D' }] };
  const whoIn = ({ body }: Awaited<ReturnType<typeof simulate>>) =>
    body.data.contacts.map(({ contactId }: Json) => contactId).sort();

  it('is every contact where there are fewer than a sample wants', async () => {
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

  it('includes contacts that are only named in events', async () => {
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
