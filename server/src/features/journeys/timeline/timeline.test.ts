import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { beforeEach, expect, inject, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { withDatabase } from '../../../../test/database-server.js';
import { enrolmentsOf, hasEnded, timelineOf } from '../../../../test/enrolments.js';
import { makeActive, makeJourney } from '../../../../test/journeys.js';
import { eventually } from '../../../../test/messages.js';
import { migrate } from '../../../db/migrate.js';
import { sql } from '../../../db/sql.js';
import { recountJourneys } from '../passage/recount/queries.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await t.tenant();
});

/** Two arms and a journey that cannot be started: what statistics and explanations look for in timelines. */
async function passed() {
  const done = await tenant.done(await tenant.post('/v2/contacts/batch', { contacts: [{ email: 'ada@x.io' }] }));
  const contactId: string = done.data.results[0].contactId;
  const target = await makeJourney(tenant, {
    definition: { entry: { api: true }, steps: [{ id: 'z', type: 'exit' }] },
  });
  const journeyId = await makeActive(tenant, {
    definition: {
      entry: { api: true },
      steps: [
        { id: 'halves', type: 'split', arms: [{ name: 'A "1"', percent: 100 }] },
        { id: 'on', type: 'startJourney', journeyId: target },
      ],
    },
  });
  await tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [contactId] });
  const [enrolment] = await eventually(
    () => enrolmentsOf(tenant, journeyId),
    (found) => found.length === 1 && found.every(hasEnded),
  );
  const explained = async () => {
    const { body } = await tenant.get(`/v2/journeys/${target}/explain?contactId=${contactId}`);
    return body.data.reasons.filter(({ what }: { what: string }) => what === 'entry').slice(1);
  };
  return { contactId, journeyId, target, enrolmentId: enrolment?.enrolmentId as string, explained };
}

/** A row a line, with its words: so they were stored before turns were. */
async function storeAsBefore(): Promise<void> {
  await t.db.run(sql`
    with lines as (delete from enrolment_turn where tenant_id = ${tenant.tenantId})
    insert into enrolment_event (tenant_id, enrolment_id, at, what, step_id, code, subjects, detail)
    select tenant_id, enrolment_id, at, what, step_id, code, subjects, 'Put in other words.' from enrolment_line
    where tenant_id = ${tenant.tenantId} order by no, place`);
}

it('stores codes and subjects, and makes the words when somebody reads', async () => {
  const { journeyId, target, enrolmentId } = await passed();
  const stored = await t.db.rows(sql<{ code: string | null; subjects: object | null; detail: string | null }>`
    select code, subjects, detail from enrolment_line where tenant_id = ${tenant.tenantId} and code is not null order by no, place`);
  expect(stored).toEqual([
    { code: 'byHand', subjects: { by: expect.any(String), via: 'token' }, detail: null },
    { code: 'armTaken', subjects: { arm: 'A "1"', bucket: expect.any(Number) }, detail: null },
    { code: 'journeyStarted', subjects: { journeyId: target }, detail: null },
    { code: 'journeyNotStarted', subjects: { journeyId: target }, detail: null },
  ]);
  const lines = await timelineOf(tenant, journeyId, enrolmentId);
  expect(lines.flatMap(({ fact }) => fact ?? [])).toEqual(stored.map(({ code, subjects }) => ({ code, ...subjects })));
  const told = lines.map(({ detail }) => detail);
  expect(told).toContain(`The journey ${target} was not started: it is not an active trigger journey.`);
  expect(told).toContainEqual(expect.stringMatching(/^Arm “A "1"” \(bucket \d+ of 100\)\.$/));
});

it('finds the same in lines that earlier versions stored with their words', async () => {
  const { journeyId, enrolmentId, explained } = await passed();
  const before = await explained();
  expect(before).toHaveLength(1);
  await storeAsBefore();
  expect(await explained()).toEqual([{ ...before[0], detail: 'Put in other words.' }]);
  expect(await recountJourneys(t.db, tenant.tenantId)).toEqual([]);
  const told = await timelineOf(tenant, journeyId, enrolmentId);
  expect(new Set(told.map(({ detail }) => detail))).toEqual(new Set(['Put in other words.']));
  expect(told.flatMap(({ fact }) => fact ?? [])).toEqual([]);
});

it('leaves of an erased contact what says nothing of the person, in lines of earlier versions too', async () => {
  const { contactId, journeyId, enrolmentId } = await passed();
  await storeAsBefore();
  await tenant.done(await tenant.delete(`/v2/contacts/${contactId}`));
  const told = await timelineOf(tenant, journeyId, enrolmentId);
  expect(told.filter(({ detail }) => detail !== undefined).map(({ what }) => what)).toEqual(['split', 'completed']);
  expect(told.length).toBeGreaterThan(2);
});

it('gives the lines of earlier versions the codes that queries look for, and leaves them their words', async () => {
  const name = `rapport_timeline_${process.pid}_${randomBytes(4).toString('hex')}`;
  const server = new pg.Client({ connectionString: inject('serverUrl') });
  await server.connect();
  await server.query(`create database ${name} template template0`);
  const connection = { connectionString: withDatabase(inject('serverUrl'), name) };
  await migrate(connection, { upTo: 24 });
  const db = new pg.Client(connection);
  await db.connect();
  try {
    const journeyId = 'd'.repeat(24);
    const chained = `The journey ${journeyId} was not started: 10 journeys have started one another already.`;
    const lines: [string, string | null, string | null, object | null][] = [
      ['entered', 'The event "a \\"b\\"" came. In the holdout: gets no messages.', 'eventCame', { eventName: 'a "b"' }],
      ['entered', 'Joined the list.', null, null],
      ['step', null, null, null],
      ['split', 'Arm "A \\\\" (bucket 7 of 100).', 'armTaken', { arm: 'A \\' }],
      ['split', 'Arm "B", which won.', 'armWon', { arm: 'B' }],
      ['step', chained, 'journeyNotStarted', { journeyId }],
      ['event', chained, 'journeyNotStarted', { journeyId }],
      ['step', `Starts the journey ${journeyId}.`, null, null],
    ];
    for (const [what, detail] of lines)
      await db.query(
        'insert into enrolment_event (tenant_id, enrolment_id, at, what, detail) values (1, gen_random_uuid(), now(), $1, $2)',
        [what, detail],
      );
    await migrate(connection);
    const { rows } = await db.query('select what, detail, code, subjects from enrolment_event order by event_no');
    expect(rows.map(({ what, detail, code, subjects }) => [what, detail, code, subjects])).toEqual(lines);
  } finally {
    await db.end();
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  }
});
