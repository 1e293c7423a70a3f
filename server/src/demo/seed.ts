// The demo tenant: small, realistic, and made through the API itself.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { ApiFailure, type Client } from '@rapport/client';
import * as contract from '@rapport/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.js';
import type { MailDesk } from '../features/messages/index.js';
import { insertSendingDomain } from '../features/sending/index.js';
import { createTenant, createToken, findLiveToken } from '../features/tenants/index.js';
import { systemClock } from '../lib/clock.js';
import { readSecret, writeSecret } from '../lib/secret-file.js';
import { demoLink } from './admin.js';
import { seedConsent } from './consent.js';
import { clientOf } from './inside.js';
import { broadcastOf, type DemoAssets, journeysOf } from './journeys.js';
import { demoEmails, versions } from './messages.js';
import type { PastNeeds } from './past.js';
import { contacts, dynamicLists, lists, organizations, users } from './people.js';
import { sendBroadcast, sendMessages } from './send.js';
import { story } from './story.js';

export interface Demo {
  /** Made with its tenant on the first start, kept 0600 under DATA_DIR so that every start can show it. */
  token: string;
  /** A contact with a story to read; undefined once erased. */
  contactId: string | undefined;
  /** Signs its admin in, once. */
  signInUrl: string | undefined;
}

// The worker is in the same process, and a person waits for the service to start.
const soon = { firstPauseMs: 2, longestPauseMs: 10 };

interface DemoNeeds {
  db: Database;
  http: FastifyInstance;
  mail: MailDesk;
  dataDir: string;
  /** Nothing leaves the outbox: with a mail server the demo would write to people who do not exist. */
  mayMail: boolean;
  /** Where people reach the service. */
  baseUrl: string;
}

export async function seedDemo(needs: DemoNeeds): Promise<Demo> {
  const token = await keepDemoToken(needs);
  const ada = await clientOf(needs.http, token)
    .call(contract.getContactByEmail, { params: { email: 'ada@example.com' } })
    .catch((error: unknown) => {
      // Erased, or not readable now: the banner can do without it, and a start must not fail because of it.
      if (error instanceof ApiFailure) return undefined;
      throw error;
    });
  return { token, contactId: ada?.data.id, signInUrl: await demoLink(needs.db, token, needs.baseUrl) };
}

async function keepDemoToken({ db, http, mail, dataDir, mayMail }: DemoNeeds): Promise<string> {
  const file = join(dataDir, 'demo-token');
  const kept = await readSecret(file);
  if (kept && (await findLiveToken(db, hash('sha256', kept)))) return kept;
  const { tenantId } = await createTenant(db, { name: 'Demo' });
  const { token } = await db.transaction((tx) =>
    createToken(tx, { tenantId, accountId: null, address: null }, { name: 'Demo', scopes: ['READ', 'WRITE'] }),
  );
  await insertSendingDomain(db, tenantId, 'example.com');
  const client = clientOf(http, token);
  const { assets, people } = await fill(client, mayMail);
  await seedConsent(client, http, mayMail);
  if (mayMail) await sendMessages(client, mail, tenantId, [...assets.emails.values()], people);
  const { data } = await client.call(contract.createBroadcast, { body: broadcastOf(assets) });
  if (mayMail) await sendBroadcast(client, mail, tenantId, data.broadcastId);
  // Last: a start that was cut short makes a new demo tenant instead of showing half of one.
  await writeSecret(file, token);
  return token;
}

interface Filled {
  assets: DemoAssets;
  people: PastNeeds['contacts'];
}

async function fill(client: Client, mayMail: boolean): Promise<Filled> {
  const { data: batch } = await client.call(contract.batchContacts, { body: { contacts } });
  const { data: written } = await client.transactions.wait(batch.transactionId, soon);
  const ids = new Map(written?.results.map(({ email, contactId }) => [email, contactId]));
  for (const body of organizations) await client.call(contract.createOrganization, { body });
  for (const body of users) {
    const { data: user } = await client.call(contract.createUser, { body });
    await client.transactions.wait(user.transactionId, { kind: 'users', ...soon });
  }
  const assets = {
    emails: new Map<string, string>(),
    lists: new Map<string, string>(),
    dynamicLists: new Map<string, string>(),
  };
  for (const { members, ...body } of lists) {
    const { data: list } = await client.call(contract.createList, { body });
    const contactIds = members.map((name) => ids.get(`${name}@example.com`) ?? '');
    await client.call(contract.addMembers, { params: { id: list.staticListId }, body: { contactIds } });
    assets.lists.set(body.name, list.staticListId);
  }
  for (const body of dynamicLists) {
    const { data: list } = await client.call(contract.createDynamicList, { body });
    assets.dynamicLists.set(body.name, list.dynamicListId ?? '');
  }
  for (const body of await demoEmails()) {
    const { data: email } = await client.call(contract.createEmail, { body });
    assets.emails.set(body.name, email.emailId);
  }
  // Before the story: it starts one of them.
  await startJourneys(client, assets, mayMail);
  const { data: events } = await client.call(contract.createEvents, { body: story(systemClock.now()) });
  const assetId = [...assets.emails.values()].at(-1) ?? '';
  for (const version of versions) await client.call(contract.storeVersion, { body: { assetId, ...version } });
  // Last: they were stored while the rest was made.
  await client.transactions.wait(events.transactionId, { kind: 'events', ...soon });
  const people = contacts.map(({ email, properties }) => {
    return [email, { contactId: ids.get(email) ?? '', firstName: properties.first_name }] as const;
  });
  return { assets, people: new Map(people) };
}

/** Where mail would leave they stay drafts. */
async function startJourneys(client: Client, assets: DemoAssets, mayMail: boolean): Promise<void> {
  for (const body of journeysOf(assets)) {
    const { data: journey } = await client.call(contract.createJourney, { body });
    if (mayMail) await client.call(contract.activateJourney, { params: { id: journey.journeyId } });
  }
}
