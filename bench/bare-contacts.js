// The baseline for contact requests: bare Fastify routes on a pool of 8. No token, limit, envelope or log.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';

process.once('message', async ({ connection, tenantId, contactId }) => {
  const pool = new pg.Pool({ ...clientConfig(connection), max: 8 });
  const app = Fastify();
  // One single-row INSERT per request, into the same table, each with its own commit.
  app.post('/insert', async (request) => {
    const { rows } = await pool.query({
      name: 'insert',
      text: `insert into write_transaction (tenant_id, transaction_id, kind, status, items, payload)
             values ($1, $2, 'bench', 'DONE', 1, $3) returning transaction_id, created_at`,
      values: [tenantId, randomUUID(), JSON.stringify(request.body)],
    });
    return rows[0];
  });
  app.get('/contact', async () => {
    const { rows } = await pool.query({
      name: 'contact',
      text: `select contact_id as id, email, properties, created_at as "createdAt", updated_at as "updatedAt"
             from contact where tenant_id = $1 and contact_id = $2`,
      values: [tenantId, contactId],
    });
    return rows[0];
  });
  process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
});
process.once('disconnect', () => process.exit(0));
