// The figures of journeys: what counts as what, live, and always what a recount says.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { enrolmentsOf, hasEnded, type ShownEnrolment, startJourney, until } from '../../../../test/enrolments.js';
import { makeContact } from '../../../../test/events.js';
import { bytes, sql } from '../../../db/sql.js';
import type { Window } from '../../../db/tallies.js';
import { findJourneyNo } from '../enrolments/queries.js';
import { findJourneyForStats } from './journeys/find-journey.js';
import { selectJourneysForStats } from './journeys/queries.js';
import { foldPassage, readPassage } from './queries.js';
import { recountJourneys } from './recount/queries.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

let made = 0;
const people = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeContact(tenant, `p${++made}@x.io`)));
const api = { entry: { api: true } };
const wait = { id: 'wait', type: 'delay', for: 'P1D' };
const always: Window = { from: null, to: null };

/** A journey that these contacts have entered and gone through as far as they go. */
async function passing(
  contactIds: readonly string[],
  definition: Record<string, unknown>,
  isSo: (one: ShownEnrolment) => boolean,
): Promise<string> {
  const journeyId = await startJourney(tenant, { ...api, ...definition });
  await enroll(journeyId, contactIds);
  await until(
    () => enrolmentsOf(tenant, journeyId),
    (all) => all.length === contactIds.length && all.every(isSo),
  );
  return journeyId;
}
const enroll = (journeyId: string, contactIds: readonly string[]) =>
  tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds });
const waits = ({ dueAt, enteredAt }: ShownEnrolment) =>
  dueAt !== null && Date.parse(dueAt) > Date.parse(enteredAt) + 60_000;

/** `step part what` of everything that was counted, but not how long it took. And a recount finds no difference. */
async function figures(journeyId: string, window = always): Promise<Record<string, number>> {
  expect(await recountJourneys(t.db, tenant.tenantId)).toEqual([]);
  const no = (await findJourneyNo(t.db, tenant.tenantId, journeyId)) ?? 0;
  const rows = await readPassage(t.db, tenant.tenantId, [no], window, 'steps');
  return Object.fromEntries(
    rows.map(({ stepId, part, what, n }) => [[stepId, part, what].filter(Boolean).join(' '), n]),
  );
}

describe('the figures of a journey', () => {
  it('tell who entered, completed and exited, and of steps who came, left and stands there', async () => {
    const some = await people(3);
    const steps = [{ id: 'tag', type: 'updateProperty', property: 'plan', value: 'pro' }, wait];
    const journeyId = await passing(some, { steps }, waits);
    const standing = { entered: 3, 'tag entered': 3, 'tag left': 3, 'wait entered': 3 };
    expect(await figures(journeyId)).toEqual(standing);
    await tenant.post(`/v2/journeys/${journeyId}/deactivate`);
    expect(await figures(journeyId)).toEqual({ ...standing, exited: 3, 'wait left': 3 });
  });

  it('count the end of a way by how it ended', async () => {
    const [first = ''] = await people(1);
    const out = await passing([first], { steps: [{ id: 'out', type: 'exit' }] }, hasEnded);
    expect(await figures(out)).toEqual({ entered: 1, exited: 1, 'out entered': 1, 'out left': 1 });
    const tag = { id: 'tag', type: 'updateProperty', property: 'plan', value: 'free' };
    const through = await passing([first], { steps: [tag] }, hasEnded);
    expect(await figures(through)).toEqual({ entered: 1, completed: 1, 'tag entered': 1, 'tag left': 1 });
  });

  it('are the same before and after they are folded, as a whole and by day', async () => {
    const journeyId = await passing(await people(2), { steps: [wait] }, waits);
    const before = await figures(journeyId);
    while ((await foldPassage(t.db.background, 3)) > 0);
    expect(before).toEqual({ entered: 2, 'wait entered': 2 });
    expect(await figures(journeyId)).toEqual(before);
    const day = 86_400_000;
    const around = {
      from: new Date(Date.now() - 3 * day).toISOString(),
      to: new Date(Date.now() + 3 * day).toISOString(),
    };
    expect(await figures(journeyId, around)).toEqual(before);
  });

  it('hold their bounds to the millisecond', async () => {
    const journeyId = await passing(await people(1), { steps: [wait] }, waits);
    const [{ enteredAt } = { enteredAt: '' }] = await enrolmentsOf(tenant, journeyId);
    const moved = (ms: number) => new Date(Date.parse(enteredAt) + ms).toISOString();
    const entered = async (window: Window) => (await figures(journeyId, window)).entered ?? 0;
    expect(await entered({ from: enteredAt, to: enteredAt })).toBe(1);
    expect(await entered({ from: moved(1), to: null })).toBe(0);
    expect(await entered({ from: null, to: moved(-1) })).toBe(0);
    expect(await entered({ from: moved(1), to: moved(-1) })).toBe(0);
  });

  it('tell how long visits took, about', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await passing([contactId], { steps: [wait] }, waits);
    await t.db.run(sql`
      update enrolment e set step_at = step_at - interval '1 hour' where tenant_id = ${tenant.tenantId} and contact_id = ${contactId}
        and state = 'active'`);
    await t.db.run(sql`
      update enrolment_turn v set at = v.at - interval '1 hour' from enrolment e
      where v.tenant_id = ${tenant.tenantId} and e.tenant_id = v.tenant_id and e.enrolment_id = v.enrolment_id
        and e.contact_id = ${contactId} and e.state = 'active'`);
    await tenant.post(`/v2/journeys/${journeyId}/deactivate`);
    const no = (await findJourneyNo(t.db, tenant.tenantId, journeyId)) ?? 0;
    const took = (await readPassage(t.db, tenant.tenantId, [no], always)).filter(({ what }) =>
      what.startsWith('took:'),
    );
    expect(took).toEqual([{ journeyNo: no, stepId: 'wait', part: '', what: expect.any(String), n: 1 }]);
    const hours = 2 ** (Number(took[0]?.what.slice(5)) / 8) / 3_600_000;
    expect(Math.abs(hours - 1)).toBeLessThan(0.05);
    // What was moved by hand is not what was counted.
    await t.db.run(sql`delete from journey_tally_delta where tenant_id = ${tenant.tenantId} and journey_no = ${no}`);
    await t.db.run(sql`delete from journey_tally where tenant_id = ${tenant.tenantId} and journey_no = ${no}`);
    await t.db.run(sql`delete from enrolment where tenant_id = ${tenant.tenantId} and journey_no = ${no}`);
  });

  it('are left as they were when a contact is erased, who leaves by that', async () => {
    const [gone = '', stays = ''] = await people(2);
    const journeyId = await passing([gone, stays], { steps: [wait] }, waits);
    await tenant.done(await tenant.delete(`/v2/contacts/${gone}`));
    const after = { entered: 2, exited: 1, 'wait entered': 2, 'wait left': 1 };
    expect(await figures(journeyId)).toEqual(after);
    await until(
      async () => t.db.rows(sql`select 1 from journey_news where tenant_id = ${tenant.tenantId} and journey_no = 0`),
      (marks) => marks.length === 0,
    );
    expect(await figures(journeyId)).toEqual(after);
  });

  it('count a move to another version only where another visit begins by it', async () => {
    const journeyId = await passing(await people(2), { steps: [wait] }, waits);
    const edit = async (steps: object[]) => {
      const { body } = await tenant.get(`/v2/journeys/${journeyId}`);
      const change = { definition: { ...api, steps }, inFlight: 'move' };
      const reply = await tenant.patch(`/v2/journeys/${journeyId}`, change, { 'if-match': `"${body.data.revision}"` });
      expect(reply.status).toBe(200);
      const { version } = reply.body.data;
      await until(
        () => enrolmentsOf(tenant, journeyId),
        (all) => all.every((one) => one.version === version && waits(one)),
      );
    };
    await edit([{ ...wait, for: 'P2D' }]);
    expect(await figures(journeyId)).toEqual({ entered: 2, 'wait entered': 2 });
    await edit([{ id: 'wait', type: 'waitUntil', branches: [{ event: { eventName: 'x' } }], timeout: 'P3D' }]);
    expect(await figures(journeyId)).toEqual({ entered: 2, 'wait entered': 4, 'wait left': 2 });
    const seen = await findJourneyForStats(t.db, tenant.tenantId, journeyId);
    expect(seen?.versions.map(({ version, steps }) => [version, steps.map(({ type }) => type)])).toEqual([
      [3, ['waitUntil']],
      [2, ['delay']],
      [1, ['delay']],
    ]);
  });
});

describe('those who are held out', () => {
  it('are counted in the total and once more by themselves, but not among the arms', async () => {
    const arms = ['A', 'B'].map((name) => ({ name, percent: 50, next: 'wait' }));
    const definition = {
      steps: [{ id: 'half', type: 'split', arms }, wait],
      goal: { filter: { property: 'plan', is: 'pro' } },
      holdout: 50,
    };
    const some = await people(12);
    const journeyId = await passing(some, definition, waits);
    for (const contactId of some)
      await tenant.done(await tenant.patch(`/v1/contacts/${contactId}`, { properties: { plan: 'pro' } }));
    await until(
      () => enrolmentsOf(tenant, journeyId),
      (all) => all.every(({ goalAt }) => goalAt !== null),
    );
    const rows = await t.db.rows(sql<{ isHoldout: boolean; arm: string }>`
      select e.is_holdout as "isHoldout", e.arms ->> 'half' as arm from enrolment e join journey j using (tenant_id, journey_no)
      where j.tenant_id = ${tenant.tenantId} and j.journey_id = ${bytes(journeyId)}`);
    const held = rows.filter(({ isHoldout }) => isHoldout).length;
    const took = (name: string) => rows.filter(({ isHoldout, arm }) => !isHoldout && arm === name).length;
    const some1 = { entered: 12, goal: 12, 'half entered': 12, 'half left': 12, 'wait entered': 12 };
    const expected = {
      ...some1,
      ...{ 'holdout entered': held, 'holdout goal': held },
      ...{ 'half arm:A entered': took('A'), 'half arm:A goal': took('A') },
      ...{ 'half arm:B entered': took('B'), 'half arm:B goal': took('B') },
    };
    const there = Object.fromEntries(Object.entries(expected).filter(([, n]) => n > 0));
    expect(await figures(journeyId)).toEqual(there);
    const minute = 60_000;
    const from = new Date(Date.now() - 5 * minute).toISOString();
    expect(await figures(journeyId, { from, to: new Date(Date.now() + minute).toISOString() })).toEqual(there);
  });
});

describe('an arm', () => {
  it('has no goal that was reached before it was taken', async () => {
    const [contactId = ''] = await people(1);
    await tenant.done(await tenant.patch(`/v1/contacts/${contactId}`, { properties: { plan: 'pro' } }));
    const name = 'say "A\\B", é';
    const arms = [{ name, percent: 100, next: 'wait' }];
    const definition = {
      steps: [{ id: 'all', type: 'split', arms }, wait],
      goal: { filter: { property: 'plan', is: 'pro' } },
    };
    const journeyId = await passing([contactId], definition, waits);
    const all = { 'all entered': 1, 'all left': 1, [`all arm:${name} entered`]: 1 };
    expect(await figures(journeyId)).toEqual({ entered: 1, goal: 1, 'wait entered': 1, ...all });
    const [split] = (await findJourneyForStats(t.db, tenant.tenantId, journeyId))?.versions[0]?.steps ?? [];
    expect(split).toEqual({ stepId: 'all', type: 'split', emailId: null, split: { arms: [name], winner: null } });
  });

  it('is known by the messages that are queued after it was taken, and only those', async () => {
    const emailId = await makeEmail(tenant);
    const mail = (id: string, more = {}) => ({ id, type: 'sendEmail', emailId, ...more });
    const split = { id: 'half', type: 'split', arms: [{ name: 'A', percent: 100, next: 'after' }] };
    const journeyId = await passing(await people(1), { steps: [mail('before'), split, mail('after')] }, hasEnded);
    const rows = await t.db.rows(sql`
      select step_id as "stepId", arms from message where tenant_id = ${tenant.tenantId} and journey_id = ${bytes(journeyId)}
      order by visit`);
    expect(rows).toEqual([
      { stepId: 'before', arms: null },
      { stepId: 'after', arms: { half: 'A' } },
    ]);
  });
});

describe('the journeys of a rollup', () => {
  const all = { status: [], type: [], tag: [], search: undefined, folderId: undefined };

  it('are those that the collection lists for the same filter, in its order, and one more than the limit', async () => {
    const own = await t.tenant();
    const make = (name: string) =>
      own.post('/v2/journeys', { name, type: 'trigger', definition: { ...api, steps: [wait] } });
    for (const name of ['Welcome', 'Winter', 'Goodbye', 'Wake up']) await make(name);
    const named = async (search: string | undefined, limit: number) =>
      (await selectJourneysForStats(t.db, own.tenantId, { ...all, search }, limit)).map(({ name }) => name);
    const listed = async (query: string) =>
      (await own.get(`/v2/journeys?${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await named(undefined, 10)).toEqual(await listed(''));
    expect(await named('w', 10)).toEqual(await listed('search=w'));
    expect(await named('w', 10)).toEqual(['Wake up', 'Winter', 'Welcome']);
    expect(await named(undefined, 2)).toHaveLength(3);
  });

  it('have the steps that were last saved until they are active', async () => {
    const steps = [wait, { id: 'nonsense' }, { id: 'mail', type: 'sendEmail', emailId: 'f'.repeat(24) }];
    const definition = { steps, holdout: 10, goal: { filter: {} } };
    const { body } = await tenant.post('/v2/journeys', { name: 'Draft', type: 'trigger', definition });
    const found = await findJourneyForStats(t.db, tenant.tenantId, body.data.journeyId);
    expect(found).toMatchObject({ name: 'Draft', type: 'trigger', status: 'draft' });
    expect(found?.versions).toEqual([
      {
        ...{ version: null, holdout: 10, hasGoal: true },
        steps: [
          { stepId: 'wait', type: 'delay', emailId: null, split: null },
          { stepId: 'mail', type: 'sendEmail', emailId: 'f'.repeat(24), split: null },
        ],
      },
    ]);
    expect(await findJourneyForStats(t.db, tenant.tenantId, 'f'.repeat(24))).toBeUndefined();
    expect(await findJourneyForStats(t.db, tenant.tenantId, 'no id')).toBeUndefined();
  });
});

describe('a simulation', () => {
  it('counts nothing', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await startJourney(tenant, { ...api, steps: [wait] });
    const reply = await tenant.post(`/v2/journeys/${journeyId}/simulate`, { contactIds: [contactId] });
    expect(reply.status).toBe(200);
    expect(await figures(journeyId)).toEqual({});
  });
});
