import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList, seedContacts } from '../../../../test/dynamic-lists.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { makeActive, makeJourney, plainDefinition, seedEnrolments } from '../../../../test/journeys.js';
import { bytes, sql } from '../../../db/sql.js';
import { newMessageUuid } from '../../../lib/ids.js';
import { type JourneyMessage, queueJourneyMessages } from '../../messages/index.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

const code = (reply: Reply) => reply.body.errors[0]?.errorCode;
const statuses = (replies: readonly Reply[]) => replies.map((reply) => reply.status).sort();
const life = (id: string, move: string, as = tenant, headers = {}) =>
  as.post(`/v2/journeys/${id}/${move}`, undefined, headers);
const read = async (id: string) => (await tenant.get(`/v2/journeys/${id}`)).body.data;
const exit = { id: 'end', type: 'exit' };

async function makeStaticList(name: string): Promise<string> {
  return (await tenant.post('/v1/lists', { name })).body.data.staticListId;
}

describe('the moves of a journey', () => {
  const refused = async (id: string, ...moves: string[]) => {
    for (const move of moves) {
      const reply = await life(id, move);
      expect([move, reply.status, code(reply)]).toEqual([move, 409, 'INVALID_STATE']);
    }
  };

  it('are those of the contract, and no others', async () => {
    const id = await makeJourney(tenant);
    await refused(id, 'deactivate', 'pause', 'resume');
    expect((await life(id, 'activate')).status).toBe(200);
    await refused(id, 'activate', 'resume');
    expect((await life(id, 'pause')).body.data).toMatchObject({ status: 'active', isPaused: true });
    await refused(id, 'activate', 'pause');
    expect((await life(id, 'resume')).body.data).toMatchObject({ status: 'active', isPaused: false });
    expect((await life(id, 'deactivate')).body.data).toMatchObject({ journeyId: id, status: 'inactive' });
    await refused(id, 'deactivate', 'pause', 'resume');
    expect((await life(id, 'activate')).body.data.status).toBe('active');
  });

  it('are counted, so that a process that remembers what journeys listen to looks again', async () => {
    const edition = async () => {
      const row = await t.db.row(sql<{ edition: number }>`
        select edition from journey_edition where tenant_id = ${tenant.tenantId}`);
      return row?.edition ?? 0;
    };
    const id = await makeJourney(tenant);
    let before = await edition();
    for (const move of ['activate', 'pause', 'resume', 'deactivate']) {
      expect((await life(id, move)).status).toBe(200);
      expect(await edition()).toBeGreaterThan(before);
      before = await edition();
    }
    await tenant.patch(`/v2/journeys/${id}`, { name: 'Nobody listens to a name' });
    expect(await edition()).toBe(before);
  });

  it('hold its messages while it is paused, and no longer', async () => {
    const id = await makeActive(tenant);
    const isHeld = async () => {
      const row = await t.db.row(sql<{ held: boolean }>`
        select released_at is null as held from message_hold
        where tenant_id = ${tenant.tenantId} and journey_id = ${bytes(id)}`);
      return row?.held ?? false;
    };
    const held = [await isHeld()];
    for (const move of ['pause', 'resume', 'pause', 'deactivate']) {
      await life(id, move);
      held.push(await isHeld());
    }
    expect(held).toEqual([false, true, false, true, false]);
  });

  it('leave a paused journey unpaused when it is stopped and activated again', async () => {
    const id = await makeActive(tenant);
    await life(id, 'pause');
    await life(id, 'deactivate');
    await life(id, 'activate');
    expect(await read(id)).toMatchObject({ status: 'active', isPaused: false });
  });
});

describe('deactivation', () => {
  const states = (id: string) =>
    t.db.rows(sql<{ state: string; reason: string | null; count: number }>`
      select e.state, e.reason, count(*) from enrolment e join journey j using (tenant_id, journey_no)
      where j.tenant_id = ${tenant.tenantId} and j.journey_id = ${bytes(id)} group by 1, 2 order by 1, 2`);

  it('lets those on the way leave, and tells their timelines', async () => {
    const id = await makeActive(tenant);
    await seedEnrolments(t, tenant, id, { stepId: 'wait', count: 3 });
    await life(id, 'deactivate');
    expect(await states(id)).toEqual([{ state: 'exited', reason: 'journeyStopped', count: 3 }]);
    const told = await t.db.rows(sql`
      select v.what, v.step_id as "stepId", v.code, v.subjects from enrolment_line v join enrolment e using (tenant_id, enrolment_id)
      join journey j using (tenant_id, journey_no) where j.tenant_id = ${tenant.tenantId} and j.journey_id = ${bytes(id)}`);
    expect(told).toEqual(
      Array(3).fill({ what: 'exited', stepId: 'wait', code: 'ended', subjects: { reason: 'journeyStopped' } }),
    );
    expect((await life(id, 'activate')).status).toBe(200);
  });

  it('skips what has not been sent', async () => {
    const id = await makeActive(tenant);
    const emailId = await makeEmail(tenant);
    const [contactId] = await seedContacts(t, tenant, [{ email: 'later@example.com' }]);
    const messageId = newMessageUuid();
    const message: JourneyMessage = {
      ...{
        messageId,
        kind: 'journey',
        emailId,
        contactId: contactId as string,
        journeyId: id,
        runId: null,
        words: null,
      },
      ...{ enrolmentId: newMessageUuid(), stepId: 'mail', visit: 1, dueAt: '2099-01-01', cap: null, skipped: null },
    };
    await t.db.transaction((tx) => queueJourneyMessages(tx, tenant.tenantId, [message], '2026-01-01'));
    const state = async () => (await tenant.get(`/v2/messages/${messageId}`)).body.data;
    expect(await state()).toMatchObject({ state: 'queued', journeyId: id });
    await life(id, 'deactivate');
    expect(await state()).toMatchObject({ state: 'skipped', reason: 'journeyStopped' });
  });

  it('ends the first thousand at once and leaves the others to the worker, before whom it is not activated again', async () => {
    const id = await makeActive(tenant);
    await seedEnrolments(t, tenant, id, { stepId: 'wait', count: 1001 });
    await life(id, 'deactivate');
    expect(await states(id)).toEqual([
      { state: 'active', reason: null, count: 1 },
      { state: 'exited', reason: 'journeyStopped', count: 1000 },
    ]);
    const reply = await life(id, 'activate');
    expect([reply.status, code(reply)]).toEqual([409, 'INVALID_STATE']);
    expect((await tenant.delete(`/v2/journeys/${id}`)).status).toBe(200);
  });
});

describe('deletion', () => {
  it('is refused while the journey is active, and while an active one starts it', async () => {
    const id = await makeActive(tenant);
    const starter = await makeActive(tenant, {
      name: 'Starter',
      definition: { entry: { api: true }, steps: [{ id: 'start', type: 'startJourney', journeyId: id }] },
    });
    expect(code(await tenant.delete(`/v2/journeys/${id}`))).toBe('INVALID_STATE');
    await life(id, 'deactivate');
    const used = await tenant.delete(`/v2/journeys/${id}`);
    expect([used.status, used.body.errors[0].message]).toEqual([409, expect.stringContaining('"Starter"')]);
    await life(starter, 'deactivate');
    expect((await tenant.delete(`/v2/journeys/${id}`)).status).toBe(200);
  });
});

describe('at the same moment', () => {
  it('only one of many activations takes effect, and there is one version', async () => {
    const id = await makeJourney(tenant);
    const replies = await Promise.all(Array.from({ length: 5 }, () => life(id, 'activate')));
    expect(statuses(replies)).toEqual([200, 409, 409, 409, 409]);
    expect((await tenant.get(`/v2/journeys/${id}/versions`)).body.pagination.totalElements).toBe(1);
  });

  it('an edit and an activation: what is active is what was saved', async () => {
    const other = { ...plainDefinition, reentry: 'always' };
    for (let round = 0; round < 10; round++) {
      const id = await makeJourney(tenant);
      const editing = round % 2 ? undefined : tenant.patch(`/v2/journeys/${id}`, { definition: other });
      const activated = life(id, 'activate');
      const edited = await (editing ?? tenant.patch(`/v2/journeys/${id}`, { definition: other }));
      expect((await activated).status).toBe(200);
      // After the activation it needs inFlight, which it does not have.
      expect([200, 400]).toContain(edited.status);
      const [version] = (await tenant.get(`/v2/journeys/${id}/versions`)).body.data;
      expect(version.definition).toEqual((await read(id)).definition);
      expect(version.definition).toEqual(edited.status === 200 ? other : plainDefinition);
    }
  });

  it('a deletion and an activation: one of them is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await makeJourney(tenant);
      const both = [() => life(id, 'activate'), () => tenant.delete(`/v2/journeys/${id}`)];
      const replies = await Promise.all((round % 2 ? both : both.reverse()).map((send) => send()));
      expect([
        [200, 404],
        [200, 409],
      ]).toContainEqual(statuses(replies));
    }
  });

  it('a list or an email is deleted and a journey activated that uses it: one of them is refused', async () => {
    for (let round = 0; round < 6; round++) {
      const [staticListId, dynamicListId, emailId] = [
        await makeStaticList(`Race ${round}`),
        await makeDynamicList(tenant, { all: [] }),
        await makeEmail(tenant),
      ];
      const uses = [
        [`/v1/lists/${staticListId}`, { entry: { joined: { staticListId } }, steps: [exit] }],
        [`/v2/dynamic-lists/${dynamicListId}`, { entry: { left: { dynamicListId } }, steps: [exit] }],
        [`/v2/emails/${emailId}`, { entry: { api: true }, steps: [{ id: 'mail', type: 'sendEmail', emailId }] }],
      ] as const;
      for (const [path, definition] of uses) {
        const id = await makeJourney(tenant, { definition });
        const both = [() => life(id, 'activate'), () => tenant.delete(path)];
        const replies = await Promise.all((round % 2 ? both : both.reverse()).map((send) => send()));
        expect([
          [200, 400],
          [200, 409],
        ]).toContainEqual(statuses(replies));
      }
    }
  });
});
