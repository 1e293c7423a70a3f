// Everything that the command line may use of the service from inside. Backup, restore, the rotation of secrets, bounces, sign-in links, the recount of statistics, the export of consent and the audit
// log need it: they open the database where there is no service to ask. What can be asked of a service goes through @rapport/client instead.
// Features are loaded when a command needs them: loading all takes a second, which a backup should not wait for.
import { readConfig } from './config.js';
import type { Connection } from './db/connect.js';
import { openDatabase } from './db/database.js';
import { onExistingData, withRunner } from './db/open-data.js';
import type { OperatorLink } from './features/accounts/index.js';
import type { AuditScope, VerifiedLog } from './features/audit/index.js';
import type { Rotation } from './features/sending/index.js';
import type { Verified } from './features/stats/index.js';
import { systemClock } from './lib/clock.js';
import type { SecretBox } from './lib/secret-box.js';
import { openSecretBox, secretKeyFile } from './lib/secret-key.js';

export { readConfig } from './config.js';
export type { Connection, DatabaseClient } from './db/connect.js';
export { locks } from './db/locks.js';
export { migrate, readMigrations } from './db/migrate.js';
export { onExistingData, onOwnDatabase, withClient } from './db/open-data.js';
export { checkDataDir } from './explain-start.js';
export { ahead, firstMonth } from './features/events/months/keep-months.js';
export { monthOf } from './lib/month.js';
export { addKeyToFile, openSecretBox, secretKeyFile } from './lib/secret-key.js';

/** Seals every secret in the database under the newest key of the box. */
export async function rotateSecrets(connection: Connection, box: SecretBox): Promise<Rotation> {
  const [{ rotateSecrets: rotateOn }, { webhookDrawers }, { accountDrawers }, { oauthDrawers }] = await Promise.all([
    import('./features/sending/index.js'),
    import('./features/webhooks/index.js'),
    import('./features/accounts/index.js'),
    import('./features/oauth/index.js'),
  ]);
  const db = openDatabase(connection);
  try {
    return await rotateOn(db.background, box, [...webhookDrawers, ...accountDrawers, ...oauthDrawers]);
  } finally {
    await db.close();
  }
}

/** Takes one mail that came back: it is put in the tenant's write queue, and a worker of the service does the rest. */
export async function takeBounce(raw: Buffer, env: NodeJS.ProcessEnv): Promise<{ isTaken: boolean; said: string }> {
  const config = readConfig(env);
  const [
    { findTenantOf },
    { sayTaken, takeOneMail },
    { takeNotices },
    { TenantKeys },
    { Acknowledger },
    { readReports },
  ] = await Promise.all([
    import('./features/messages/inbound/queries.js'),
    import('./features/messages/inbound/take-mail.js'),
    import('./features/messages/take-notices.js'),
    import('./features/messages/tenant-keys.js'),
    import('./features/transactions/index.js'),
    import('./mail/bounces/report.js'),
  ]);
  return onExistingData(config, async (connection) => {
    const db = openDatabase(connection);
    try {
      const box = await openSecretBox(config, secretKeyFile(config.dataDir));
      const keys = new TenantKeys(db, box);
      // No worker is woken: they poll.
      const acknowledger = new Acknowledger(db, () => undefined);
      const taken = await takeOneMail(raw, {
        keyOf: (tenantId) => keys.findKey(tenantId),
        // Nothing else waits for this process.
        readReports,
        takeNotices: (tenantId, notices) =>
          takeNotices(acknowledger, tenantId, notices, systemClock.now().toISOString()),
        findTenantOf: (messageId) => findTenantOf(db, messageId),
      });
      return { isTaken: taken.isTaken, said: sayTaken(taken) };
    } finally {
      await db.close();
    }
  });
}

/** A link that signs a person in once. Undefined if no one who can sign in has the address. */
export async function makeSignInLink(
  env: NodeJS.ProcessEnv,
  wanted: { email: string; endsSecondFactor: boolean },
): Promise<OperatorLink | undefined> {
  const config = readConfig(env);
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const baseUrl = config.baseUrl ?? `http://${host}:${config.port}`;
  const { makeOperatorLink } = await import('./features/accounts/index.js');
  return onExistingData(config, async (connection) => {
    const db = openDatabase(connection);
    try {
      return await makeOperatorLink(db, { ...wanted, baseUrl });
    } finally {
      await db.close();
    }
  });
}

/** Recounts the figures of all tenants; `told` is called after each. */
export async function verifyFigures(connection: Connection, told: (verified: Verified) => void): Promise<void> {
  const { verifyFigures: verifyOn } = await import('./features/stats/index.js');
  return withRunner(connection, (db) => verifyOn(db, told));
}

/** What contacts said of topics, as lines of CSV, of all tenants or of one. */
export async function exportConsent(
  connection: Connection,
  tenantId: number | undefined,
  write: (lines: AsyncIterable<string>) => Promise<void>,
): Promise<void> {
  const { consentLines } = await import('./features/consent/index.js');
  return withRunner(connection, (db) => write(consentLines(db, tenantId)));
}

/** Walks the audit log of all tenants, or of one; `told` is called after each, and not at all for an unknown tenant. */
export async function verifyAudit(
  connection: Connection,
  told: (verified: VerifiedLog) => void,
  asked?: Partial<AuditScope>,
): Promise<void> {
  const [{ verifyAudit: verifyAuditOn }, { findTenant }] = await Promise.all([
    import('./features/audit/index.js'),
    import('./features/tenants/index.js'),
  ]);
  return withRunner(connection, async (db) => {
    if (asked?.tenantId !== undefined && !(await findTenant(db, asked.tenantId))) return;
    await verifyAuditOn(db, told, asked);
  });
}
