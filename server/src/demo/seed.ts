// The demo tenant: small, realistic, and made through the same use cases as the API.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Database } from '../db/database.js';
import { createList } from '../features/lists/index.js';
import {
  createTenant,
  createToken,
  findAccount,
  findLiveToken,
  insertSendingDomain,
} from '../features/tenants/index.js';
import { readSecret, writeSecret } from '../lib/secret-file.js';

const lists: { name: string; folder?: string }[] = [
  { name: 'Newsletter subscribers', folder: 'Marketing' },
  { name: 'Webinar attendees, October', folder: 'Marketing' },
  { name: 'Beta testers', folder: 'Product' },
  { name: 'Power users', folder: 'Product' },
  { name: 'Customer advisory board' },
];

/** The demo token. Made with its tenant on the first start, kept 0600 under DATA_DIR so that every start can show it. */
export async function seedDemo(db: Database, dataDir: string): Promise<string> {
  const file = join(dataDir, 'demo-token');
  const kept = await readSecret(file);
  if (kept && (await findLiveToken(db, hash('sha256', kept)))) return kept;
  const { tenantId } = await createTenant(db, { name: 'Demo' });
  const { token } = await createToken(db, tenantId, { name: 'Demo', scopes: ['READ', 'WRITE'] });
  await insertSendingDomain(db, tenantId, 'example.com');
  const account = await findAccount(db, tenantId, undefined);
  const by = { tenantId, accountId: account?.accountId ?? 0 };
  await db.transaction(async (tx) => {
    for (const list of lists) await createList(tx, by, list);
  });
  // Last: a start that was cut short makes a new demo tenant instead of showing half of one.
  await writeSecret(file, token);
  return token;
}
