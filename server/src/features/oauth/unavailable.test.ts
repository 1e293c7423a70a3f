// While the database is away, apps are told to come back, like everyone else.
import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import type { Database } from '../../db/database.js';

let isAway = false;
/** The database, until it is away. */
function shaky(db: Database): Database {
  return {
    ...db,
    row: (statement) => {
      if (isAway) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      return db.row(statement);
    },
  };
}
const t = useApp(() => ({ db: shaky(t.db) }));
beforeAll(async () => {
  // The keys are known from then on.
  expect((await t.anonymous.get('/oauth/jwks')).status).toBe(200);
});

it('answers 503, and says after how many seconds to try again', async () => {
  isAway = true;
  const reply = await t.app.http.inject({
    ...{ method: 'POST', url: '/oauth/token', payload: 'grant_type=refresh_token&client_id=x&refresh_token=y' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  isAway = false;
  expect([reply.statusCode, reply.json().error]).toEqual([503, 'server_error']);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
});
