// A database that had messages before there were figures: they are counted as if figures had always existed.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { withDatabase } from '../../../../test/database-server.js';
import { type Database, openDatabase } from '../../../db/database.js';
import { migrate } from '../../../db/migrate.js';
import { sql } from '../../../db/sql.js';
import { foldTallies } from '../../../db/tallies.js';
import { tallies } from './queries.js';
import { readFigures } from './read-figures.js';
import { recountMessages } from './recount.js';

// The schema version before figures.
const before = 11;
const name = `rapport_backfill_${process.pid}_${randomBytes(4).toString('hex')}`;
const connection = { connectionString: withDatabase(inject('serverUrl'), name) };
let db: Database;

async function run(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const [email, journey] = ['00000000000000000000000e', '00000000000000000000000a'];
const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
const ledger = `
  insert into message (tenant_id, message_id, kind, state, address, email_id, version, journey_id, step_id, sent_at, delivered_at,
    first_opened_at, first_clicked_at, bounced_at, due_at) values
  (1, '${id(1)}', 'journey', 'delivered', 'ada@x.io', '\\x${email}', 'default', '\\x${journey}', 'mail', '2026-11-14T09:10Z',
    '2026-11-14T09:11Z', null, '2026-11-14T10:00Z', null, now()),
  (1, '${id(2)}', 'direct', 'sent', 'bob@y.io', '\\x${email}', 'personalized', null, null, '2026-11-14T09:20Z', null,
    '2026-11-14T11:00Z', null, null, now()),
  (1, '${id(3)}', 'direct', 'bounced', null, '\\x${email}', 'default', null, null, '2026-11-14T09:30Z', null, null, null,
    '2026-11-14T09:30Z', now()),
  (1, '${id(4)}', 'direct', 'failed', 'cy@x.io', '\\x${email}', null, null, null, null, null, null, null, null, now()),
  (1, '${id(5)}', 'test', 'sent', 'dee@x.io', '\\x${email}', 'default', null, null, '2026-11-14T09:30Z', null, null, null, null, now()),
  (1, '${id(6)}', 'direct', 'queued', 'eve@x.io', '\\x${email}', null, null, null, null, null, null, null, null, now()),
  (1, '${id(7)}', 'journey', 'sent', 'fay@z.io', '\\x${email}', 'default', '\\x${journey}', 'mail', '2026-11-14T09:40Z', null, null, null,
    null, now());
  insert into message_attempt (tenant_id, message_id, at, reply, outcome) values
  (1, '${id(4)}', '2026-11-14T08:00Z', '451', 'later'), (1, '${id(4)}', '2026-11-14T12:00Z', '451', 'failed'),
  (1, '${id(7)}', '2026-11-14T09:40Z', 'kept in the outbox', 'sent');
  insert into sending_tally (tenant_id, since, sent, delivered) values (1, '2026-11-14T09:30Z', 3, 3), (1, '2026-11-14T09:40Z', 2, 2);
  insert into message_event (tenant_id, message_id, at, what, detail, link_no, is_machine) values
  (1, '${id(1)}', '2026-11-14T09:11Z', 'delivered', null, null, null),
  (1, '${id(1)}', '2026-11-14T10:00Z', 'clicked', 'https://x.io/a', 0, false),
  (1, '${id(1)}', '2026-11-14T10:30Z', 'clicked', 'https://x.io/a', 0, false),
  (1, '${id(1)}', '2026-11-14T09:12Z', 'opened', null, null, true),
  (1, '${id(1)}', '2026-11-14T13:00Z', 'unsubscribed', null, null, null),
  (1, '${id(1)}', '2026-11-14T13:01Z', 'resubscribed', null, null, null),
  (1, '${id(1)}', '2026-11-14T13:02Z', 'unsubscribed', null, null, null),
  (1, '${id(2)}', '2026-11-14T11:00Z', 'opened', null, null, false),
  (1, '${id(2)}', '2026-11-14T12:00Z', 'softBounced', '4.2.2', null, null),
  (1, '${id(2)}', '2026-11-14T12:30Z', 'complained', null, null, null),
  (1, '${id(5)}', '2026-11-14T11:00Z', 'clicked', 'https://x.io/a', 0, false)`;

// The schema version before figures of topics and days of forms.
const beforeTopics = 33;
const topic = '00000000000000000000000b';
const form = '00000000000000000000000c';
const toTopics = `
  update message set topic_id = '\\x${topic}' where message_id in ('${id(1)}', '${id(3)}', '${id(5)}');
  insert into tenant (tenant_id, name) overriding system value values (1, 'Before');
  insert into form (tenant_id, form_id, name, name_folded, fields, topic_ids, consent_text, allowed_origins, state)
  values (1, '\\x${form}', 'Form', 'form', '[]', '{}', 'Yes', '{}', 'open');
  insert into form_submission (tenant_id, submission_id, form_id, at, outcome, is_applied, values, email_field, text, topic_ids, language, by_mail)
  select 1, ('00000000-0000-7000-8000-00000000010' || n)::uuid, '\\x${form}', at::timestamptz, outcome, true, '{}', 'email', 'Yes', '{}', 'en', false
  from (values (1, '2026-11-14T23:59Z', 'accepted'), (2, '2026-11-14T01:00Z', 'refused'), (3, '2026-11-15T00:00Z', 'confirmed'),
    (4, '2026-11-15T12:00Z', 'pending')) as s (n, at, outcome)`;

beforeAll(async () => {
  await run(inject('serverUrl'), `create database ${name} template template0`);
  await migrate(connection, { upTo: before });
  await run(connection.connectionString, ledger);
  await migrate(connection, { upTo: beforeTopics });
  await run(connection.connectionString, toTopics);
  await migrate(connection);
  db = openDatabase(connection, { lanes: 1 });
});
afterAll(async () => {
  await db.close();
  await run(inject('serverUrl'), `drop database ${name} with (force)`);
});

it('figures include earlier messages, and equal a recount, folded or not', async () => {
  const ever = { from: null, to: null };
  const shown = async (of: Parameters<typeof readFigures>[2]) =>
    (await readFigures(db, 1, of, ever)).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== 0 && value !== null)),
    );
  for (let folded = 0; folded < 2; folded++) {
    expect(await shown({ kind: 'tenant' })).toEqual([
      {
        ...{
          sent: 3,
          delivered: 1,
          opened: 1,
          uniqueOpened: 1,
          machineOpened: 1,
          clicked: 2,
          uniqueClicked: 1,
          clickOnly: 1,
        },
        ...{ hardBounced: 1, softBounced: 1, unsubscribed: 1, complained: 1, failed: 1 },
      },
    ]);
    expect((await shown({ kind: 'domains' })).map(({ domain, sent }) => [domain, sent])).toEqual([
      ['x.io', 1],
      ['y.io', 1],
    ]);
    expect((await shown({ kind: 'journeys', journeyIds: [journey as string] })).map(({ stepId }) => stepId)).toEqual([
      'mail',
    ]);
    expect(await shown({ kind: 'links' })).toEqual([
      { emailId: email, url: 'https://x.io/a', clicked: 2, uniqueClicked: 1 },
    ]);
    expect(await recountMessages(db, 1)).toEqual([]);
    await foldTallies(db, tallies, 1000);
  }
});

it('figures of a topic include earlier messages, tests aside', async () => {
  const [row] = await readFigures(db, 1, { kind: 'topic', topicId: topic }, { from: null, to: null });
  expect(row).toMatchObject({ sent: 2, delivered: 1, clicked: 2, uniqueClicked: 1, machineOpened: 1, hardBounced: 1 });
  expect(await recountMessages(db, 1)).toEqual([]);
});

it('days of a form include what was sent before', async () => {
  const rows = await db.rows(
    sql`select counter, delta::int from counter_delta where tenant_id = 1 and counter like 'form:%' order by counter`,
  );
  expect(rows).toEqual([
    { counter: `form:${form}:refused:2026-11-14`, delta: 1 },
    { counter: `form:${form}:submitted:2026-11-14`, delta: 1 },
    { counter: `form:${form}:submitted:2026-11-15`, delta: 2 },
  ]);
});

it('failed messages count at the time of their last attempt', async () => {
  const hour = { from: '2026-11-14T12:00:00.000Z', to: '2026-11-14T12:00:00.000Z' };
  const [row] = await readFigures(db, 1, { kind: 'tenant' }, hour);
  expect([row?.failed, row?.softBounced]).toEqual([1, 1]);
});

it('messages kept in the outbox no longer count as delivered for the daily limits either', async () => {
  const rows = await db.rows(sql`select sent, delivered from sending_tally where tenant_id = 1 order by since`);
  expect(rows).toEqual([
    { sent: 3, delivered: 3 },
    { sent: 2, delivered: 1 },
  ]);
});
