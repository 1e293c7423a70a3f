import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeToken, outsideSettings, useIssuer } from '../../../test/token-kinds.js';
import { sql } from '../../db/sql.js';
import type { Clock } from '../../lib/clock.js';
import { touchGrants } from '../oauth/index.js';
import { findToken } from './find-token.js';
import { TokenUses } from './token-uses.js';

const issuer = useIssuer();
const t = useApp(() => ({ outside: outsideSettings(issuer) }));
let now = '2026-11-15T09:30:00.000Z';
const clock: Clock = { now: () => new Date(now), elapsed: () => 0 };

const usedAt = () =>
  t.db.row(sql<{ usedAt: string | null }>`select used_at as "usedAt" from oauth_record where kind = 'Grant'`);

it('stores when an app was last used, by any of its tokens, and never an earlier time', async () => {
  const { tenantId } = await t.tenant();
  const tokens = [1, 2].map(() => makeToken(t, issuer, tenantId, { kind: 'app' }));
  const callers = await Promise.all((await Promise.all(tokens)).map((token) => findToken(t.db, hash('sha256', token))));
  // Both belong to one grant, which was used when they were made.
  const grant = sql`(select grant_hash from access_token where kind = 'app' order by token_id limit 1)`;
  await t.db.run(sql`update access_token set grant_hash = ${grant} where kind = 'app'`);
  await t.db.run(sql`delete from oauth_record where id_hash <> ${grant}`);
  await t.db.run(sql`update oauth_record set used_at = null`);
  const uses = new TokenUses(t.db, clock, touchGrants);
  for (const caller of callers) if (caller) uses.note(caller);
  await uses.flush();
  expect(await usedAt()).toEqual({ usedAt: now });
  now = '2026-11-15T09:20:00.000Z';
  if (callers[0]) uses.note(callers[0]);
  await uses.flush();
  expect(await usedAt()).toEqual({ usedAt: '2026-11-15T09:30:00.000Z' });
});

it('stores nothing about tokens of another issuer', async () => {
  const { tenantId } = await t.tenant();
  const token = await makeToken(t, issuer, tenantId, { kind: 'outside' });
  expect((await t.withToken(token).get('/v2/folders')).status).toBe(200);
  const uses = new TokenUses(t.db, clock, touchGrants);
  uses.note({ tenantId, tokenId: 0 });
  await uses.flush();
  const rows = await t.db.rows(
    sql`select from access_token where tenant_id = ${tenantId} and last_used_at is not null`,
  );
  expect(rows).toEqual([]);
});
