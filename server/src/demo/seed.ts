// The demo tenant: small, realistic, and made through the API itself.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.js';
import { createTenant, createToken, findLiveToken, insertSendingDomain } from '../features/tenants/index.js';
import { systemClock } from '../lib/clock.js';
import { readSecret, writeSecret } from '../lib/secret-file.js';
import { emails, versions } from './messages.js';
import { contacts, lists, organizations, users } from './people.js';
import { story } from './story.js';

export interface Demo {
  /** Made with its tenant on the first start, kept 0600 under DATA_DIR so that every start can show it. */
  token: string;
  /** Somebody with a story to read; undefined once erased. */
  contactId: string | undefined;
}

export async function seedDemo(db: Database, http: FastifyInstance, dataDir: string): Promise<Demo> {
  const token = await keepDemoToken(db, http, dataDir);
  const headers = { authorization: `Bearer ${token}` };
  const ada = await http.inject({ url: '/v2/contacts/by-email/ada@example.com', headers });
  return { token, contactId: ada.statusCode === 200 ? ada.json().data.id : undefined };
}

async function keepDemoToken(db: Database, http: FastifyInstance, dataDir: string): Promise<string> {
  const file = join(dataDir, 'demo-token');
  const kept = await readSecret(file);
  if (kept && (await findLiveToken(db, hash('sha256', kept)))) return kept;
  const { tenantId } = await createTenant(db, { name: 'Demo' });
  const { token } = await createToken(db, tenantId, { name: 'Demo', scopes: ['READ', 'WRITE'] });
  await insertSendingDomain(db, tenantId, 'example.com');
  await fill(http, token);
  // Last: a start that was cut short makes a new demo tenant instead of showing half of one.
  await writeSecret(file, token);
  return token;
}

async function fill(http: FastifyInstance, token: string): Promise<void> {
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await http.inject({ method, url, headers, ...(payload ? { payload } : {}) });
    if (response.statusCode !== 200) throw new Error(`The demo data was refused: ${method} ${url}: ${response.body}`);
    return response.json().data;
  };
  const done = async ({ transactionId }: { transactionId: string }, kind: 'contacts' | 'events' = 'contacts') => {
    for (;;) {
      const transaction = await call('GET', `/v2/${kind}/transactions/${transactionId}`);
      if (transaction.status === 'DONE') return transaction;
      await sleep(2);
    }
  };
  const written = await done(await call('POST', '/v2/contacts/batch', { contacts }));
  const ids = new Map<string, string>(
    written.data.results.map((row: { email: string; contactId: string }) => [row.email, row.contactId]),
  );
  for (const organization of organizations) await call('POST', '/v2/organizations', organization);
  for (const user of users) await done(await call('POST', '/v2/users', user));
  const events = await call('POST', '/v2/events', story(systemClock.now()));
  for (const { members, ...list } of lists) {
    const { staticListId } = await call('POST', '/v2/lists', list);
    const contactIds = members.map((name) => ids.get(`${name}@example.com`));
    await call('POST', `/v2/lists/${staticListId}/members`, { contactIds });
  }
  let assetId = '';
  for (const email of emails) assetId = (await call('POST', '/v2/emails', email)).emailId;
  for (const version of versions) await call('POST', '/v2/email-versions', { assetId, ...version });
  // Last: they were stored while the rest was made.
  await done(events, 'events');
}
