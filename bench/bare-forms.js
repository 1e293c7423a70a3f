// The baseline for a form post: a bare Fastify route with one INSERT of what was sent, on a pool of 8. No form to look up, no field, proof or bound to
// check, and no contact to make.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';

process.once('message', async ({ connection, tenantId }) => {
  const pool = new pg.Pool({ ...clientConfig(connection), max: 8 });
  const app = Fastify();
  app.post('/insert', async (/** @type {any} */ { body }) => {
    await pool.query({
      name: 'insert',
      text: `insert into form_submission (tenant_id, submission_id, form_id, at, outcome, is_applied, address, values, email_field, text, topic_ids,
               language, by_mail)
             values ($1, $2, $3, now(), 'accepted', true, $4, $5, 'email', 'Yes.', '{}', 'en', false)`,
      values: [tenantId, randomUUID(), Buffer.alloc(12), body.email, JSON.stringify({ email: body.email })],
    });
    return { ok: true, pending: false };
  });
  process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
});
process.once('disconnect', () => process.exit(0));
