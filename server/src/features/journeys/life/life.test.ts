// What happens to a journey as a whole: activation and its checks, deactivation, pause, and what others do at the same moment.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList } from '../../../../test/dynamic-lists.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { makeActive, makeJourney, plainDefinition } from '../../../../test/journeys.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

const code = (reply: Reply) => reply.body.errors[0]?.errorCode;
const details = (reply: Reply): string[] => reply.body.errors.map((error: { detail: string }) => error.detail);
const life = (id: string, move: string, as = tenant, headers = {}) =>
  as.post(`/v2/journeys/${id}/${move}`, undefined, headers);
const read = async (id: string) => (await tenant.get(`/v2/journeys/${id}`)).body.data;
const exit = { id: 'end', type: 'exit' };
const nowhere = 'f'.repeat(24);

async function makeStaticList(name: string): Promise<string> {
  return (await tenant.post('/v1/lists', { name })).body.data.staticListId;
}

describe('activation', () => {
  it('makes a draft active, answers its row, and makes its definition version 1', async () => {
    const id = await makeJourney(tenant);
    const { status, body } = await life(id, 'activate');
    expect(status).toBe(200);
    const [row] = (await tenant.get('/v2/journeys?pageSize=1')).body.data;
    expect(body.data).toEqual(row);
    expect(body.data).toMatchObject({ journeyId: id, status: 'active', nextRunTime: null });
    expect(await read(id)).toMatchObject({ status: 'active', version: 1, revision: 1, isPaused: false });
  });

  it('is refused without a definition', async () => {
    const reply = await life(await makeJourney(tenant, { definition: null }), 'activate');
    expect([reply.status, code(reply), details(reply)]).toEqual([400, 'VALIDATION_ERROR', ['definition']]);
  });

  it('is refused with every fault, however many there are', async () => {
    const steps = Array.from({ length: 60 }, (_, i) => ({ id: `s${i}`, type: 'sendEmail', emailId: nowhere }));
    const missing = await life(await makeJourney(tenant, { definition: { ...plainDefinition, steps } }), 'activate');
    expect(details(missing)).toEqual(steps.map((_, i) => `definition.steps[${i}].emailId: there is no such email`));
    const unread = steps.map(({ id }) => ({ id, type: 'delay' }));
    const definition = { ...plainDefinition, steps: [...unread, steps[0]] };
    const faulty = details(await life(await makeJourney(tenant, { definition }), 'activate'));
    expect(faulty).toHaveLength(62);
    expect(faulty.at(-1)).toBe('definition.steps[60].emailId: there is no such email');
  });

  it('is refused for a webhook whose body cannot be rendered, and so is an edit, a comparison and a simulation', async () => {
    const call = {
      id: 'call',
      type: 'webhook',
      url: 'https://example.com/',
      body: '{"plan": "{{ contact.plan | nonsense }}"',
    };
    const definition = { ...plainDefinition, steps: [call, { ...call, id: 'loop', body: '{% for %}' }, exit] };
    const places = ['definition.steps[0].body: ', 'definition.steps[1].body: '];
    const told = (reply: Reply) => details(reply).map((detail) => detail.replace(/(?<=: ).*$/s, ''));
    const refused = await life(await makeJourney(tenant, { definition }), 'activate');
    expect([refused.status, told(refused)]).toEqual([400, places]);
    const id = await makeActive(tenant);
    const edited = await tenant.patch(`/v2/journeys/${id}`, { definition, inFlight: 'finish' });
    expect([edited.status, told(edited)]).toEqual([400, places]);
    const compared = await tenant.post(`/v2/journeys/${id}/compare`, { definition });
    expect([compared.status, told(compared)]).toEqual([400, places]);
    const simulated = await tenant.post(`/v2/journeys/${id}/simulate`, { definition, sample: 1 });
    expect([simulated.status, told(simulated)]).toEqual([400, places]);
    expect(await read(id)).toMatchObject({ status: 'active', version: 1 });
  });

  it('is refused for what does not exist, each with its place', async () => {
    const definition = {
      entry: { joined: { dynamicListId: nowhere } },
      exitWhen: { any: [{ staticListId: nowhere }, { marketing: 'opened', emailId: nowhere }] },
      goal: { filter: { dynamicListId: nowhere } },
      steps: [
        { id: 'mail', type: 'sendEmail', emailId: nowhere },
        { id: 'add', type: 'addToList', staticListId: nowhere },
        { id: 'remove', type: 'removeFromList', staticListId: nowhere },
        {
          id: 'ask',
          type: 'branch',
          cases: [{ filter: { staticListId: nowhere }, next: 'start' }],
          otherwise: 'start',
        },
        { id: 'start', type: 'startJourney', journeyId: nowhere },
        exit,
      ],
    };
    const id = await makeJourney(tenant, { definition });
    const reply = await life(id, 'activate');
    expect([reply.status, code(reply)]).toEqual([400, 'VALIDATION_ERROR']);
    expect(details(reply).sort()).toEqual([
      'definition.entry.joined.dynamicListId: there is no such dynamic list',
      'definition.exitWhen.any[0].staticListId: there is no such static list',
      'definition.exitWhen.any[1].emailId: there is no such email',
      'definition.goal.filter.dynamicListId: there is no such dynamic list',
      'definition.steps[0].emailId: there is no such email',
      'definition.steps[1].staticListId: there is no such static list',
      'definition.steps[2].staticListId: there is no such static list',
      'definition.steps[3].cases[0].filter.staticListId: there is no such static list',
      'definition.steps[4].journeyId: there is no such journey',
    ]);
    expect(await read(id)).toMatchObject({ status: 'draft', version: null });
  });

  it('tells what cannot be read and what does not exist together', async () => {
    const definition = {
      entry: { event: { eventName: 'signed_up' } },
      steps: [{ id: 'mail', type: 'sendEmail', emailId: nowhere, next: null }, exit],
      holdout: 51,
    };
    const reply = await life(await makeJourney(tenant, { definition }), 'activate');
    const places = details(reply).map((detail) => detail.split(':')[0]);
    expect(places).toEqual(
      expect.arrayContaining(['definition.holdout', 'definition.steps[0].emailId', 'definition.steps[1]']),
    );
  });

  it('takes what exists: emails, lists, and other journeys that people enter one by one', async () => {
    const emailId = await makeEmail(tenant);
    const [staticListId, dynamicListId] = [
      await makeStaticList('Taken'),
      await makeDynamicList(tenant, { property: 'plan', is: 'pro' }),
    ];
    const [other, batch] = [await makeJourney(tenant), await makeJourney(tenant, { type: 'batch', definition: null })];
    const steps = (journeyId: string) => [
      { id: 'mail', type: 'sendEmail', emailId },
      { id: 'add', type: 'addToList', staticListId },
      { id: 'start', type: 'startJourney', journeyId },
      exit,
    ];
    const definition = { entry: { joined: { dynamicListId } }, exitWhen: { staticListId }, steps: steps(other) };
    expect((await life(await makeJourney(tenant, { definition }), 'activate')).status).toBe(200);
    const wrong = await makeJourney(tenant, { definition: { ...definition, steps: steps(batch) } });
    expect(details(await life(wrong, 'activate'))).toEqual([
      expect.stringMatching(/^definition.steps\[2\].journeyId: .*batch/),
    ]);
  });

  it('names another tenant’s things as if they were not there', async () => {
    const stranger = await tenantWithDomain(t);
    const emailId = await makeEmail(stranger);
    const definition = { entry: { api: true }, steps: [{ id: 'mail', type: 'sendEmail', emailId }] };
    const reply = await life(await makeJourney(tenant, { definition }), 'activate');
    expect(details(reply)).toEqual(['definition.steps[0].emailId: there is no such email']);
  });

  it('works once for an Idempotency-Key, and is refused without one when it is active', async () => {
    const id = await makeJourney(tenant);
    const headers = { 'idempotency-key': 'activation' };
    const first = await life(id, 'activate', tenant, headers);
    const again = await life(id, 'activate', tenant, headers);
    expect([again.status, again.headers['idempotency-replayed'], again.body.data]).toEqual([
      200,
      'true',
      first.body.data,
    ]);
    const other = await life(id, 'activate');
    expect([other.status, code(other)]).toEqual([409, 'INVALID_STATE']);
  });
});

describe('the runs of a batch journey', () => {
  const batch = async (schedule?: unknown) => {
    const dynamicListId = await makeDynamicList(tenant, { property: 'plan', is: 'pro' });
    const entry = { audience: { dynamicListId }, ...(schedule ? { schedule } : {}) };
    return makeJourney(tenant, { type: 'batch', definition: { entry, steps: [exit] } });
  };

  it('begin at once without a schedule', async () => {
    const { body } = await life(await batch(), 'activate');
    expect(Date.parse(body.data.nextRunTime)).toBeLessThanOrEqual(Date.parse(body.meta.timestamp) + 1000);
  });

  it('wait for their time, and one that has passed is refused', async () => {
    const id = await batch({ at: '2099-01-01T10:00:00+02:00' });
    expect((await read(id)).nextRunTime).toBe(null);
    expect((await life(id, 'activate')).body.data.nextRunTime).toBe('2099-01-01T08:00:00.000Z');
    const late = await life(await batch({ at: '2020-01-01' }), 'activate');
    expect([late.status, details(late)]).toEqual([400, ['definition.entry.schedule.at: this time has passed']]);
  });

  it('of a time that has passed are told with whatever else is wrong', async () => {
    const schedule = { at: '2020-01-01' };
    const unreadable = { entry: { audience: {}, schedule }, steps: [{ id: 'x', type: 'delay' }], holdout: 80 };
    const refused = await life(await makeJourney(tenant, { type: 'batch', definition: unreadable }), 'activate');
    expect(details(refused)).toContain('definition.entry.schedule.at: this time has passed');
    expect(details(refused)).toContainEqual(expect.stringMatching(/^definition\.holdout: /));
    const gone = { audience: { staticListId: 'a'.repeat(24) }, schedule };
    const nowhere = await makeJourney(tenant, { type: 'batch', definition: { entry: gone, steps: [exit] } });
    expect(details(await life(nowhere, 'activate')).sort()).toEqual([
      'definition.entry.audience.staticListId: there is no such static list',
      'definition.entry.schedule.at: this time has passed',
    ]);
  });

  it('repeat by a cron in its zone', async () => {
    const id = await batch({ cron: '0 9 1 1 *', timeZone: 'Europe/Berlin' });
    expect((await life(id, 'activate')).body.data.nextRunTime).toMatch(/^\d{4}-01-01T08:00:00\.000Z$/);
  });

  it('are no more ahead once it is stopped', async () => {
    const id = await batch({ at: '2099-01-01' });
    await life(id, 'activate');
    expect((await life(id, 'deactivate')).body.data).toMatchObject({ status: 'inactive', nextRunTime: null });
  });
});
