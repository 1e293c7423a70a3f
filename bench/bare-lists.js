// The baseline: a bare Fastify route that runs the same statement on a pool of 8. No token, limit, envelope or log.
import Fastify from 'fastify';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';

process.once('message', async ({ connection, statement }) => {
  // The service's own type parsers, which are faster than pg's, so that both send the same values.
  const pool = new pg.Pool({ ...clientConfig(connection), max: 8 });
  const generic = new pg.Pool({
    ...clientConfig(connection),
    max: 8,
    options: '-c plan_cache_mode=force_generic_plan',
  });
  const unnamed = { text: statement.text, values: statement.values };
  const app = Fastify();
  app.get('/named', async () => (await pool.query(statement)).rows);
  app.get('/generic', async () => (await generic.query(statement)).rows);
  app.get('/unnamed', async () => (await pool.query(unnamed)).rows);
  process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
});
process.once('disconnect', () => process.exit(0));
