// Edits of active journeys, the versions that they make, and what another definition would mean for those on the way.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList } from '../../../../test/dynamic-lists.js';
import { makeActive, makeJourney, plainDefinition, seedEnrolments } from '../../../../test/journeys.js';
import { bytes, sql } from '../../../db/sql.js';
import { retireVersions } from '../life/queries.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});

const code = (reply: Reply) => reply.body.errors[0]?.errorCode;
const detail = (reply: Reply) => reply.body.errors[0]?.detail;
const [wait, end] = plainDefinition.steps;
const longer = { ...plainDefinition, steps: [{ ...wait, for: 'P2D' }, end] };
const without = { ...plainDefinition, steps: [end] };
const patch = (id: string, body: unknown, headers = {}) => tenant.patch(`/v2/journeys/${id}`, body, headers);
const versions = async (id: string) => (await tenant.get(`/v2/journeys/${id}/versions`)).body.data;

const stored = (id: string) =>
  t.db.row(sql`
    select j.version, j.moves, array(select v.version from journey_version v where v.tenant_id = j.tenant_id
      and v.journey_no = j.journey_no and v.is_live order by 1) as live
    from journey j where j.tenant_id = ${tenant.tenantId} and j.journey_id = ${bytes(id)}`);

describe('another definition of an active journey', () => {
  it('is a new version, which contacts enter from now on', async () => {
    const id = await makeActive(tenant);
    const { status, body } = await patch(id, { definition: longer, inFlight: 'finish' });
    expect([status, body.data]).toMatchObject([200, { definition: longer, version: 2, revision: 2, status: 'active' }]);
    expect(await versions(id)).toMatchObject([
      { version: 2, definition: longer, inProgress: 0 },
      { version: 1, definition: plainDefinition, inProgress: 0 },
    ]);
    expect(await stored(id)).toEqual({ version: 2, moves: [], live: [2] });
  });

  it('leaves those on the way in their version, or notes that they are to be moved', async () => {
    const [finish, move] = [await makeActive(tenant), await makeActive(tenant)];
    for (const id of [finish, move]) await seedEnrolments(t, tenant, id, { stepId: 'wait', count: 2 });
    await patch(finish, { definition: longer, inFlight: 'finish' });
    await patch(move, { definition: longer, inFlight: 'move' });
    expect(await stored(finish)).toEqual({ version: 2, moves: [], live: [1, 2] });
    expect(await stored(move)).toEqual({ version: 2, moves: [2], live: [1, 2] });
    await patch(move, { definition: without, inFlight: 'move' });
    expect(await stored(move)).toEqual({ version: 3, moves: [2, 3], live: [1, 3] });
    expect(await versions(finish)).toMatchObject([
      { version: 2, inProgress: 0 },
      { version: 1, inProgress: 2 },
    ]);
  });

  it('needs to know what becomes of those on the way', async () => {
    const id = await makeActive(tenant);
    const reply = await patch(id, { definition: longer });
    expect([reply.status, code(reply), detail(reply)]).toEqual([400, 'VALIDATION_ERROR', 'inFlight']);
    const cleared = await patch(id, { definition: null, inFlight: 'finish' });
    expect([cleared.status, detail(cleared)]).toEqual([400, 'definition']);
    expect(await stored(id)).toEqual({ version: 1, moves: [], live: [1] });
  });

  it('is checked as activation does, and refused as a whole', async () => {
    const id = await makeActive(tenant);
    const broken = { ...plainDefinition, steps: [{ id: 'mail', type: 'sendEmail', emailId: 'f'.repeat(24) }] };
    const reply = await patch(id, { name: 'New name', definition: broken, inFlight: 'move' });
    expect([reply.status, detail(reply)]).toEqual([400, 'definition.steps[0].emailId: there is no such email']);
    const { body } = await tenant.get(`/v2/journeys/${id}`);
    expect(body.data).toMatchObject({ name: 'A journey', version: 1, revision: 1, definition: plainDefinition });
  });

  it('is refused when somebody else was faster', async () => {
    const id = await makeActive(tenant);
    const send = () => patch(id, { definition: longer, inFlight: 'finish' }, { 'if-match': '"1"' });
    const replies = await Promise.all([send(), send(), send()]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 412, 412]);
    expect(replies.filter((reply) => reply.status === 412).map(code)).toEqual(['EDIT_CONFLICT', 'EDIT_CONFLICT']);
    expect(await versions(id)).toHaveLength(2);
  });

  it('makes no version when it is the same again', async () => {
    const id = await makeActive(tenant);
    expect((await patch(id, { definition: plainDefinition, inFlight: 'move' })).body.data.version).toBe(1);
    await tenant.post(`/v2/journeys/${id}/deactivate`);
    await tenant.post(`/v2/journeys/${id}/activate`);
    expect(await versions(id)).toHaveLength(1);
    expect(await stored(id)).toEqual({ version: 1, moves: [], live: [1] });
  });

  it('is a version of a stopped journey only once that is activated', async () => {
    const id = await makeActive(tenant);
    await tenant.post(`/v2/journeys/${id}/deactivate`);
    expect(await stored(id)).toEqual({ version: 1, moves: [], live: [] });
    await patch(id, { definition: { half: 'done' } });
    expect(await versions(id)).toHaveLength(1);
    await patch(id, { definition: longer });
    await tenant.post(`/v2/journeys/${id}/activate`);
    expect(await versions(id)).toMatchObject([{ version: 2, definition: longer }, { version: 1 }]);
    expect(await stored(id)).toEqual({ version: 2, moves: [], live: [2] });
  });
});

describe('what else an author may change', () => {
  it('is name, tags and folder in every state, without a version', async () => {
    const id = await makeJourney(tenant);
    for (const move of ['activate', 'pause', 'resume', 'deactivate']) {
      await tenant.post(`/v2/journeys/${id}/${move}`);
      const { status, body } = await patch(id, { name: `After ${move}`, tags: [move] });
      expect([status, body.data]).toMatchObject([200, { name: `After ${move}`, tags: [move], version: 1 }]);
    }
  });

  it('is not the type, once it has been active', async () => {
    const id = await makeActive(tenant);
    const isRefused = async () => {
      const reply = await patch(id, { type: 'batch' });
      expect([reply.status, code(reply)]).toEqual([409, 'INVALID_STATE']);
    };
    await isRefused();
    await tenant.post(`/v2/journeys/${id}/deactivate`);
    await isRefused();
    expect((await patch(id, { type: 'trigger', name: 'Same type' })).status).toBe(200);
  });
});

describe('the run ahead', () => {
  it('stays where the schedule does, moves with it, and is made now where there is none any more', async () => {
    const dynamicListId = await makeDynamicList(tenant, { all: [] });
    const definition = (schedule: unknown, steps: unknown[]) => ({
      ...{ entry: { audience: { dynamicListId }, ...(schedule ? { schedule } : {}) }, steps },
    });
    const id = await makeActive(tenant, { type: 'batch', definition: definition({ at: '2099-01-01' }, [end]) });
    const edit = async (changed: unknown) => (await patch(id, { definition: changed, inFlight: 'finish' })).body.data;
    expect((await edit(definition({ at: '2099-01-01' }, [wait, end]))).nextRunTime).toBe('2099-01-01T00:00:00.000Z');
    expect((await edit(definition({ at: '2098-01-01' }, [end]))).nextRunTime).toBe('2098-01-01T00:00:00.000Z');
    const late = await patch(id, { definition: definition({ at: '2020-01-01' }, [end]), inFlight: 'finish' });
    expect([late.status, detail(late)]).toEqual([400, 'definition.entry.schedule.at: this time has passed']);
    const { nextRunTime } = await edit(definition(undefined, [end]));
    expect(Date.parse(nextRunTime)).toBeLessThan(Date.parse('2098-01-01'));
  });
});

describe('the dates of contacts', () => {
  it('are found anew when it is another date that they enter on, and only then', async () => {
    const entry = (property: string) => ({ date: { property, yearly: true } });
    const definition = (property: string) => ({ entry: entry(property), steps: [end] });
    const isFound = async (id: string) => {
      const row = await t.db.row(sql<{ built: boolean }>`
        select dates_built as built from journey where tenant_id = ${tenant.tenantId} and journey_id = ${bytes(id)}`);
      return row?.built;
    };
    const id = await makeActive(tenant, { definition: definition('birthday') });
    const found = [await isFound(id)];
    // As if the worker had been there.
    await t.db.transaction((tx) =>
      tx.run(sql`update journey set dates_built = true where tenant_id = ${tenant.tenantId}`),
    );
    const edits = [
      { ...definition('birthday'), steps: [wait, end] },
      definition('renewal'),
      { ...plainDefinition, entry: { api: true } },
    ];
    for (const edit of edits) {
      await patch(id, { definition: edit, inFlight: 'finish' });
      found.push(await isFound(id));
    }
    expect(found).toEqual([false, true, false, true]);
  });
});

describe('GET /v2/journeys/{id}/versions', () => {
  it('is empty for a draft, and paged', async () => {
    const id = await makeJourney(tenant);
    expect(await versions(id)).toEqual([]);
    await tenant.post(`/v2/journeys/${id}/activate`);
    for (const [i, definition] of [longer, without].entries()) {
      const { body } = await patch(id, { definition, inFlight: 'finish' });
      expect(body.data.version).toBe(i + 2);
    }
    const { body } = await tenant.get(`/v2/journeys/${id}/versions?pageSize=2&page_number=2`);
    expect(body.pagination).toEqual({ pageNumber: 2, pageSize: 2, totalElements: 3, totalPages: 2 });
    expect(body.data).toEqual([
      { version: 1, activatedAt: expect.any(String), inProgress: 0, definition: plainDefinition },
    ]);
  });
});

it('retires an earlier version once the last contact has left it', async () => {
  const id = await makeActive(tenant);
  await seedEnrolments(t, tenant, id, { stepId: 'wait' });
  await patch(id, { definition: longer, inFlight: 'finish' });
  await retireVersions(t.db.background, 1000);
  expect(await stored(id)).toMatchObject({ live: [1, 2] });
  await t.db.transaction((tx) =>
    tx.run(sql`update enrolment set state = 'completed' where tenant_id = ${tenant.tenantId}`),
  );
  await retireVersions(t.db.background, 1000);
  expect(await stored(id)).toMatchObject({ live: [2] });
});

describe('POST /v2/journeys/{id}/compare', () => {
  const compare = (id: string, definition: unknown) => tenant.post(`/v2/journeys/${id}/compare`, { definition });

  it('counts who would stay, move, or keep the version, and changes nothing', async () => {
    const id = await makeActive(tenant);
    await seedEnrolments(t, tenant, id, { stepId: 'wait', count: 3 });
    expect((await compare(id, longer)).body.data).toEqual({
      steps: [
        { stepId: 'wait', inProgress: 3, becomes: 'moves' },
        { stepId: 'end', inProgress: 0, becomes: 'stays' },
      ],
      totals: { inProgress: 3, stays: 0, moves: 3, keepsVersion: 0 },
    });
    expect((await compare(id, without)).body.data.steps[0]).toEqual({
      ...{ stepId: 'wait', inProgress: 3, becomes: 'keepsVersion' },
    });
    const named = { ...plainDefinition, steps: [{ ...wait, name: 'A day off' }, end] };
    for (const definition of [plainDefinition, named])
      expect((await compare(id, definition)).body.data.totals).toEqual({
        ...{ inProgress: 3, stays: 3, moves: 0, keepsVersion: 0 },
      });
    expect(await stored(id)).toEqual({ version: 1, moves: [], live: [1] });
  });

  it('counts those in earlier versions too', async () => {
    const id = await makeActive(tenant);
    await seedEnrolments(t, tenant, id, { stepId: 'wait', count: 2 });
    await patch(id, { definition: longer, inFlight: 'finish' });
    await seedEnrolments(t, tenant, id, { stepId: 'wait', version: 2, count: 3 });
    const { steps, totals } = (await compare(id, longer)).body.data;
    expect(steps).toEqual([
      { stepId: 'wait', inProgress: 3, becomes: 'stays' },
      { stepId: 'end', inProgress: 0, becomes: 'stays' },
      { stepId: 'wait', inProgress: 2, becomes: 'moves' },
    ]);
    expect(totals).toEqual({ inProgress: 5, stays: 3, moves: 2, keepsVersion: 0 });
  });

  it('has no contacts to show before the first activation', async () => {
    const { body } = await compare(await makeJourney(tenant), longer);
    expect(body.data).toEqual({ steps: [], totals: { inProgress: 0, stays: 0, moves: 0, keepsVersion: 0 } });
  });

  it('refuses a definition that could not be activated', async () => {
    const id = await makeActive(tenant);
    for (const definition of [undefined, null, 'x', []])
      expect(detail(await compare(id, definition))).toBe('definition');
    const reply = await compare(id, { ...plainDefinition, steps: [] });
    expect([reply.status, detail(reply)]).toEqual([400, expect.stringMatching(/^definition\.steps: /)]);
  });

  it('answers an Idempotency-Key with the same counts', async () => {
    const id = await makeActive(tenant);
    const send = () =>
      tenant.post(`/v2/journeys/${id}/compare`, { definition: longer }, { 'idempotency-key': 'compare' });
    const first = await send();
    await seedEnrolments(t, tenant, id, { stepId: 'wait' });
    const again = await send();
    expect([again.headers['idempotency-replayed'], again.body.data]).toEqual(['true', first.body.data]);
  });
});
