// A fair limit for trigger journeys: one connection that writes the rows that the service stores for the same enrolments, with nothing to
// read, decide or acknowledge. Each thousand is one transaction, like a turn.
import { randomUUID } from 'node:crypto';
import { copyIn } from '../server/dist/db/copy.js';

const inTransaction = 1000;

/**
 * Events that start a journey with a branch, an update and an exit. Returns how many per second.
 * @param {import('pg').Client} client
 * @param {{ tenantId: number, journeyNo: number, since: number, users: number }} where Of users that seedUsers() made.
 * @param {number} count
 */
export async function bareTrigger(client, { tenantId, journeyNo, since, users }, count) {
  let elapsed = 0;
  for (let from = 0; from < count; from += inTransaction) {
    const rows = Array.from({ length: inTransaction }, (_, i) => rowOf(since, users, from + i));
    const start = performance.now();
    await client.query('begin');
    await store(client, tenantId, journeyNo, rows);
    await client.query('commit');
    elapsed += performance.now() - start;
  }
  return count / (elapsed / 1000);
}

let made = 0;

/**
 * @param {number} since
 * @param {number} users
 * @param {number} n
 */
function rowOf(since, users, n) {
  const number = made++;
  const user = (n * 7919) % users;
  const at = new Date(since + number * 10).toISOString();
  return { contactId: user.toString(16).padStart(32, '0'), user, at, number, enrolmentId: randomUUID() };
}

/**
 * @param {import('pg').Client} client
 * @param {number} tenantId
 * @param {number} journeyNo
 * @param {ReturnType<typeof rowOf>[]} rows
 */
async function store(client, tenantId, journeyNo, rows) {
  const properties = (/** @type {number} */ n) => `{"format":"csv","rows":${n % 1000},"source":"dashboard","ok":true}`;
  const copy = (/** @type {string} */ text, /** @type {(row: ReturnType<typeof rowOf>) => unknown[]} */ line) =>
    copyIn(client, `copy ${text} from stdin`, rows.map((row) => `${line(row).join('\t')}\n`).join(''));
  const ids = rows.map((row) => row.contactId);
  const values = rows.map((row) => String(row.number % 1000));
  await copy(
    'event (tenant_id, contact_id, event_date, event_no, event_name, user_id, org_id, properties)',
    ({ contactId, at, number, user }) => [
      ...[tenantId, contactId, at, -1 - number, 'report_exported', `u${user}`, '\\N', properties(number)],
    ],
  );
  await client.query(
    `insert into event_count as c (tenant_id, contact_id, month, events)
     select $1, contact_id, 0, count(*) from unnest($2::uuid[]) as r (contact_id) group by contact_id order by contact_id
     on conflict (tenant_id, contact_id, month) do update set events = c.events + excluded.events`,
    [tenantId, ids],
  );
  await copy(
    'enrolment (tenant_id, enrolment_id, journey_no, version, contact_id, state, reason, step_id, visit, step_at, entered_at, ended_at, words)',
    ({ contactId, at, number, enrolmentId }) => [
      ...[tenantId, enrolmentId, journeyNo, 1, contactId, 'exited', 'exit', 'out', 3, at, at, at],
      `{"event":${properties(number)}}`,
    ],
  );
  await copy('enrolment_turn (tenant_id, enrolment_id, at, lines)', ({ at, enrolmentId, number }) => [
    ...[tenantId, enrolmentId, at],
    `[["entered",null,"eventCame",{"eventName":"report_exported"}],["step","which"],["branch","which","noCase"],["step","set"],` +
      `["property","set","propertySet",{"property":"last_rows","value":${number % 1000}}],["step","out"],["exited","out","ended",{"reason":"exit"}]]`,
  ]);
  await client.query(
    `update contact c set properties = jsonb_build_object('last_rows', d.value::integer), updated_at = now()
     from unnest($2::uuid[], $3::text[]) as d (contact_id, value) where c.tenant_id = $1 and c.contact_id = d.contact_id`,
    [tenantId, ids, values],
  );
  await copy(
    'contact_change (tenant_id, contact_id, field, old_value, new_value, source, changed_at)',
    ({ contactId, at, number }) => [tenantId, contactId, 'last_rows', number % 999, number % 1000, 'journey', at],
  );
}
