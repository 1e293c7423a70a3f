// The baseline for queueing a message and recording an open: a bare Fastify route with one INSERT of a message, on a pool of 8.
// No token, limit, envelope or log, and no check that the email or the contact exists.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';

process.once('message', async ({ connection, tenantId, contactId, emailId }) => {
  const pool = new pg.Pool({ ...clientConfig(connection), max: 8 });
  const app = Fastify();
  const insert = async (/** @type {any} */ data) => {
    const { rows } = await pool.query({
      name: 'insert',
      text: `insert into message (tenant_id, message_id, kind, contact_id, address, email_id, words, due_at)
             values ($1, $2, 'direct', $3, $4, $5, $6, '2099-01-01') returning message_id, state`,
      values: [
        tenantId,
        randomUUID(),
        contactId,
        'p0@example.com',
        Buffer.from(emailId, 'hex'),
        JSON.stringify({ data }),
      ],
    });
    return rows[0];
  };
  app.post('/insert', (/** @type {any} */ request) => insert(request.body.data));
  app.get('/insert', () => insert({ n: 1 }));
  process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
});
process.once('disconnect', () => process.exit(0));
