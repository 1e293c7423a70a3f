// The baseline for activity reads: bare Fastify routes on a pool of 8. No token, limit, envelope, total or log.
import Fastify from 'fastify';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';
import { pageOf } from './activity-statement.js';

process.once('message', async ({ connection, tenantId, contactId }) => {
  const pool = new pg.Pool({ ...clientConfig(connection), max: 8 });
  const app = Fastify();
  const who = 'tenant_id = $1 and contact_id = $2';
  const now = new Date();
  const month = [0, 1].map((ahead) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)));
  /** A reader that knows the month of the newest events. */
  app.get('/first', async () => {
    const text = pageOf(`${who} and event_date >= $3 and event_date < $4`);
    return (await pool.query({ name: 'first', text, values: [tenantId, contactId, ...month] })).rows;
  });
  app.get('/all', async () => {
    return (await pool.query({ name: 'all', text: pageOf(who), values: [tenantId, contactId] })).rows;
  });
  app.get('/late', async () => {
    return (await pool.query({ name: 'late', text: pageOf(who, 99_980), values: [tenantId, contactId] })).rows;
  });
  process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
});
process.once('disconnect', () => process.exit(0));
