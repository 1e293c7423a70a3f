// The baseline for a rollup: a bare Fastify route that reads the same counter rows with one statement on a pool of 8, and returns their
// sums. No token, limit, envelope, log or filter, and unfolded changes are ignored.
import Fastify from 'fastify';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';

const counts = [
  ...['sent', 'delivered', 'opened', 'unique_opened', 'clicked', 'unique_clicked', 'hard_bounced', 'soft_bounced'],
  ...['unsubscribed', 'complained', 'failed', 'machine_opened', 'machine_clicked', 'click_only'],
];

/**
 * One row per journey. `when` says which spans and times.
 * @param {string} when
 */
const statementOf = (when) => `
  with m as (
    select split_part(subject, ':', 2) as journey_id, ${counts.map((name) => `sum(${name})::int8 as ${name}`).join(', ')}
    from message_tally where tenant_id = $1 and subject >= 'j:' and subject < 'j;' and (${when}) group by 1
  ), p as (
    select journey_no, sum(n) filter (where what = 'entered')::int8 as entered, sum(n) filter (where what = 'completed')::int8 as completed,
      sum(n) filter (where what = 'exited')::int8 as exited
    from journey_tally where tenant_id = $1 and step_id = '' and part = '' and (${when}) group by 1
  )
  select j.journey_id, j.name, j.type, j.state, m.*, p.* from journey j
  left join m on m.journey_id = encode(j.journey_id, 'hex') left join p on p.journey_no = j.journey_no
  where j.tenant_id = $1 and j.deleted_at is null`;

process.once('message', async ({ connection, tenantId, window }) => {
  const pool = new pg.Pool({ ...clientConfig(connection), connectionTimeoutMillis: 0, max: 8 });
  const app = Fastify();
  const whole = { name: 'whole', text: statementOf(`span = 'all'`), values: [tenantId] };
  const days = {
    name: 'days',
    text: statementOf(`span = 'day' and since >= $2 and since <= $3`),
    values: [tenantId, ...window],
  };
  app.get('/whole', async () => (await pool.query(whole)).rows);
  app.get('/days', async () => (await pool.query(days)).rows);
  process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
});
process.once('disconnect', () => process.exit(0));
