// A recount finds what is wrong; and of enrolments from before there were figures, the migration counted everything.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { useDatabase } from '../../../../../test/database.js';
import { withDatabase } from '../../../../../test/database-server.js';
import { openDatabase, type Runner } from '../../../../db/database.js';
import { migrate } from '../../../../db/migrate.js';
import { sql } from '../../../../db/sql.js';
import { foldPassage, readPassage } from '../queries.js';
import { recountJourneys } from './queries.js';

const t = useDatabase();
const tenantId = 1;
const always = { from: null, to: null };

async function seed(db: Runner): Promise<void> {
  await db.run(sql`
    insert into enrolment (tenant_id, enrolment_id, journey_no, version, state, step_id, visit, step_at, entered_at, ended_at, goal_at,
      is_holdout, arms)
    select ${tenantId}, ('00000000-0000-0000-0000-00000000000' || n)::uuid, 7, 1, case when n = 1 then 'active' else 'exited' end, 'b', 2,
      '2026-03-01T23:50:00Z', '2026-03-01T22:00:00Z', case when n > 1 then timestamptz '2026-03-02T00:10:00Z' end,
      '2026-03-01T23:59:59.999Z', n = 3, '{"a": "A"}'
    from generate_series(1, 3) n`);
  await db.run(sql`
    insert into enrolment_event (tenant_id, enrolment_id, at, what, step_id, detail)
    select e.tenant_id, e.enrolment_id, v.at::timestamptz, v.what, v.step_id, v.detail from enrolment e cross join (values
      ('2026-03-01T22:00:00Z', 'step', 'a', null), ('2026-03-01T22:00:00Z', 'split', 'a', 'Arm "A", which won.'),
      ('2026-03-01T23:50:00Z', 'step', 'b', null), ('2026-03-01T23:59:59.999Z', 'goal', 'b', null)) v (at, what, step_id, detail)`);
}

it('finds nothing to correct after the migration, which counted everything', async () => {
  const name = `rapport_recount_${process.pid}_${randomBytes(4).toString('hex')}`;
  const server = new pg.Client({ connectionString: inject('serverUrl') });
  await server.connect();
  await server.query(`create database ${name} template template0`);
  const connection = { connectionString: withDatabase(inject('serverUrl'), name) };
  await migrate(connection, { upTo: 11 });
  const db = openDatabase(connection);
  try {
    await seed(db);
    await migrate(connection);
    expect(await recountJourneys(db, tenantId)).toEqual([]);
    const rows = await readPassage(db, tenantId, [7], always, 'steps');
    expect(Object.fromEntries(rows.map((row) => [`${row.stepId} ${row.part} ${row.what}`, row.n]))).toEqual({
      ...{ 'null  entered': 3, 'null  exited': 2, 'null  goal': 3 },
      ...{ 'null holdout entered': 1, 'null holdout exited': 1, 'null holdout goal': 1 },
      ...{ 'a  entered': 3, 'a  left': 3, 'b  entered': 3, 'b  left': 2 },
      ...{ 'a arm:A entered': 2, 'a arm:A goal': 2 },
    });
  } finally {
    await db.close();
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  }
});

it('names a figure that is missing, one that is too high, and a sum that is not that of its hours', async () => {
  await seed(t.db);
  await t.db.run(sql`update enrolment_event set code = 'armWon', subjects = '{"arm": "A"}' where what = 'split'`);
  const missing = await recountJourneys(t.db, tenantId);
  expect(missing).toContainEqual({
    ...{ journeyNo: 7, stepId: 'b', part: '', what: 'left', span: 'hour', since: '2026-03-02T00:00:00.000Z' },
    ...{ counted: 0, recounted: 2 },
  });
  await t.db.run(sql`
    insert into journey_tally_delta (tenant_id, journey_no, step_id, part, what, hour, n)
    select ${tenantId}, d.* from unnest(${missing.map((d) => d.journeyNo)}::integer[], ${missing.map((d) => d.stepId ?? '')}::text[],
      ${missing.map((d) => d.part)}::text[], ${missing.map((d) => d.what)}::text[], ${missing.map((d) => d.since)}::timestamptz[],
      ${missing.map((d) => d.recounted)}::integer[]) d`);
  expect(await recountJourneys(t.db, tenantId)).toEqual([]);
  while ((await foldPassage(t.db, 5)) > 0);
  expect(await recountJourneys(t.db, tenantId)).toEqual([]);
  await t.db.run(sql`
    update journey_tally set n = n + 1
    where tenant_id = ${tenantId} and step_id = '' and part = '' and (span, what) in (('hour', 'entered'), ('day', 'goal'), ('all', 'exited'))`);
  const wrong = await recountJourneys(t.db, tenantId);
  expect(wrong.map(({ what, span, counted, recounted }) => [what, span, counted, recounted])).toEqual([
    ['entered', 'all', 3, 4],
    ['entered', 'day', 3, 4],
    ['entered', 'hour', 4, 3],
    ['exited', 'all', 3, 2],
    ['goal', 'day', 4, 3],
  ]);
});
