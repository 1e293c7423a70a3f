import { afterEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { type Bouncer, type BouncerOptions, pgBouncer, startPgBouncer } from '../../test/pgbouncer.js';
import { checkNamedStatements } from './named-statements.js';

const t = useDatabase();
let bouncer: Bouncer | undefined;
afterEach(async () => {
  await bouncer?.stop();
  bouncer = undefined;
});

async function behind(options: BouncerOptions) {
  bouncer = await startPgBouncer(t.connection, options);
  return checkNamedStatements(bouncer.connection).then(
    () => 'fine',
    (error: Error) => error.message,
  );
}

it('a database without a pooler keeps named statements', async () => {
  await expect(checkNamedStatements(t.connection)).resolves.toBeUndefined();
});

it('this check does not report a database that cannot be reached', async () => {
  await expect(checkNamedStatements({ connectionString: 'postgres://x@127.0.0.1:1/x' })).resolves.toBeUndefined();
});

// Skipped if pgbouncer is not installed (`apt-get install pgbouncer`).
describe.runIf(pgBouncer)('behind PgBouncer', () => {
  it.each([{ poolSize: 1 }, { poolSize: 2 }, { poolSize: 20 }])(
    'in transaction mode they are lost, and the sentence says what to do: %j',
    async (size) => {
      const told = await behind({ mode: 'transaction', ...size });
      expect(told).toMatch(
        /^DATABASE_URL leads to a pooler that loses named statements .*1\.21.*max_prepared_statements/,
      );
      expect(told).toContain('pool_mode = session');
    },
  );

  it('in session mode they are kept', async () => {
    expect(await behind({ mode: 'session' })).toBe('fine');
  });

  it('in statement mode there are not even transactions', async () => {
    expect(await behind({ mode: 'statement' })).toMatch(/^DATABASE_URL leads to a pooler that allows no transactions/);
  });

  it.runIf(pgBouncer?.keepsStatements)('in transaction mode a newer one carries them along', async () => {
    expect(await behind({ mode: 'transaction', preparedStatements: 200, poolSize: 3 })).toBe('fine');
  });
});
