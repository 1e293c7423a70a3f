// One thing of every kind, all belonging to one tenant.

import { insertProvider } from '../src/features/accounts/sso/queries.js';
import { allow } from '../src/features/oauth/approval/allow.js';
import { hashOf } from '../src/features/oauth/provider/adapter.js';
import { insertSendingDomain } from '../src/features/sending/index.js';
import { findAccount } from '../src/features/tenants/index.js';
import type { Clock } from '../src/lib/clock.js';
import type { TenantClient, TestApp } from './app.js';
import { makeActive, seedEnrolments } from './journeys.js';
import { png } from './pictures.js';

/** One thing of every kind, all belonging to one tenant. */
export interface Things {
  /** Part of the names of all of them. */
  n: string;
  tenantId: string;
  tokenId: string;
  accountId: string;
  invitationId: string;
  domain: string;
  hookId: string;
  folderId: string;
  listId: string;
  dynamicListId: string;
  contactId: string;
  email: string;
  orgId: string;
  userId: string;
  transactionId: string;
  transactionUuid: string;
  userTransactionId: string;
  eventTransactionId: string;
  importId: string;
  emailId: string;
  fileId: string;
  blockId: string;
  messageId: string;
  topicId: string;
  formId: string;
  /** A message in the outbox. */
  keptId: string;
  /** A draft, an active one, and one that is held. */
  journeyId: string;
  activeId: string;
  pausedId: string;
  enrolmentId: string;
  /** Active, and somebody who waits in it. */
  waitingId: string;
  waiterId: string;
  /** A draft, and one whose time is ahead. */
  broadcastId: string;
  scheduledId: string;
  webhookId: string;
  providerId: string;
  /** A connected app. */
  appId: string;
}
/** Well-formed ids of things that never existed. */
export const nothing: Things = {
  n: '0',
  tenantId: '999999999',
  tokenId: '999999999',
  accountId: '999999999',
  invitationId: '999999999',
  domain: 'nobody.example',
  hookId: 'a'.repeat(24),
  folderId: 'f'.repeat(24),
  listId: 'e'.repeat(24),
  dynamicListId: 'b'.repeat(24),
  contactId: 'd'.repeat(32),
  email: 'nobody@example.com',
  orgId: 'no-organization',
  userId: 'no-user-at-all',
  transactionId: '999999999-019a8b2c-4d5e-7f70-8192-a3b4c5d6e7f8',
  transactionUuid: '019a8b2c-4d5e-7f70-8192-a3b4c5d6e7f8',
  userTransactionId: '999999998-019a8b2c-4d5e-7f70-8192-a3b4c5d6e7f9',
  eventTransactionId: '999999997-019a8b2c-4d5e-7f70-8192-a3b4c5d6e7fa',
  importId: '999999996-019a8b2c-4d5e-7f70-8192-a3b4c5d6e7fb',
  emailId: 'c'.repeat(24),
  fileId: '7'.repeat(24),
  blockId: '8'.repeat(24),
  messageId: '9'.repeat(32),
  topicId: '5'.repeat(24),
  formId: '6'.repeat(24),
  keptId: '<nothing@nobody.example>',
  journeyId: '1'.repeat(24),
  activeId: '2'.repeat(24),
  pausedId: '3'.repeat(24),
  enrolmentId: '4'.repeat(32),
  waitingId: '7'.repeat(24),
  waiterId: '5'.repeat(32),
  broadcastId: '5'.repeat(24),
  scheduledId: '6'.repeat(24),
  webhookId: '9'.repeat(24),
  providerId: '999999999',
  appId: '8'.repeat(64),
};

export const definition = { entry: { api: true }, steps: [{ id: 'end', type: 'exit' }] };
let made = 0;
const directory = {
  ...{ issuer: 'https://id.example', clientId: 'rapport', domains: ['people.example'] },
  ...{ isRequired: false, joinsAs: null },
};

/** Creates them over the API, or directly where that would take long. `keptWebhook` is never removed. */
export function thingsIn(t: TestApp, clock: Clock, keptWebhook: () => string | undefined) {
  async function makeThings(tenant: TenantClient): Promise<Things> {
    const n = ++made;
    const [domain, email, orgId, userId] = [
      `d${n}.example`,
      `person${n}@example.com`,
      `organization-${n}`,
      `login-${n}`,
    ];
    const folder = await tenant.post('/v2/folders', { name: `folder ${n}` });
    const list = await tenant.post('/v1/lists', { name: `list ${n}`, folder: folder.body.data.directoryId });
    const listId: string = list.body.data.staticListId;
    const dynamic = await tenant.post('/v2/dynamic-lists', { name: `dynamic ${n}`, filter: { all: [] } });
    const acknowledged = await tenant.post('/v1/contacts', { email, properties: { plan: 'pro' } });
    await tenant.done(acknowledged);
    const contact = await tenant.get(`/v1/contacts/by-email/${email}`);
    const contactId: string = contact.body.data.id;
    await tenant.post(`/v1/lists/${listId}/members`, { contactIds: [contactId] });
    await tenant.post('/v2/organizations', { orgId, name: orgId });
    const user = await tenant.post('/v2/users', { email, userId, orgIds: [orgId] });
    await tenant.done(user);
    const events = await tenant.post('/v2/events', { events: [{ userId, orgId, eventName: `event ${n}` }] });
    const csv = { 'content-type': 'text/csv' };
    const imported = await tenant.post('/v2/contacts/import', `email,plan\n${email},pro`, csv);
    const admin = `/admin/tenants/${tenant.tenantId}`;
    const token = await t.admin.post(`${admin}/tokens`, { name: 'more', scopes: ['READ'] });
    const account = await t.admin.post(`${admin}/accounts`, { name: 'somebody' });
    const invitation = await tenant.post('/v2/invitations', { email: `invited${n}@example.com`, role: 'viewer' });
    // Without a DKIM key, which takes a moment to make.
    await insertSendingDomain(t.db, tenant.tenantId, domain);
    await t.admin.put(`${admin}/transport`, { smtpUrl: 'smtp://mail.example' });
    const hook = await t.admin.post(`${admin}/mail-hooks`, { provider: 'generic' });
    const html = '<p>{{unsubscribe_url}}</p>';
    const asset = { name: `email ${n}`, html, subject: 'Hello', fromEmail: { email: `us@${domain}` } };
    const emailId: string = (await tenant.post('/v1/emails', asset)).body.data.emailId;
    await tenant.post('/v1/email-versions', { assetId: emailId, email, html });
    const file = await tenant.post(`/v2/files?name=${n}.png`, png(n, 1), { 'content-type': 'image/png' });
    const block = await tenant.post('/v2/blocks', { name: `block ${n}`, blocks: [{ type: 'divider' }] });
    const sent = await tenant.post(`/v2/emails/${emailId}/test-send`, { to: email });
    const queued = await tenant.post('/v2/messages', { emailId, email, sendAt: '2099-01-01' });
    await tenant.put(`/v2/suppressions/${email}`);
    const topic = await tenant.post('/v2/topics', { name: `topic ${n}`, byDefault: 'subscribed' });
    const fields = [{ property: 'email', label: 'Email', type: 'email' }];
    const form = await tenant.post('/v2/forms', { name: `form ${n}`, fields, topicIds: [], consentText: 'Yes' });
    const newJourney = async (name: string): Promise<string> =>
      (await tenant.post('/v2/journeys', { name, type: 'trigger', definition })).body.data.journeyId;
    const [journeyId, activeId, pausedId] = [
      await newJourney(`journey ${n}`),
      await newJourney('active'),
      await newJourney('paused'),
    ];
    for (const id of [activeId, pausedId]) await tenant.post(`/v2/journeys/${id}/activate`);
    await tenant.post(`/v2/journeys/${pausedId}/pause`);
    await tenant.post(`/v2/journeys/${pausedId}/enroll`, { contactIds: [contactId] });
    const enrolments = await tenant.get(`/v2/journeys/${pausedId}/enrolments`);
    const waitingId = await makeActive(tenant, { name: 'waiting' });
    await seedEnrolments(t, tenant, waitingId, { stepId: 'wait' });
    const waiters = await tenant.get(`/v2/journeys/${waitingId}/enrolments`);
    // An email and a list that are about to be sent cannot be deleted: these have their own.
    const audience = (await tenant.post('/v1/lists', { name: `audience ${n}` })).body.data;
    const mailed = (await tenant.post('/v1/emails', { ...asset, name: `mailed ${n}` })).body.data;
    const newBroadcast = async (when: object): Promise<string> => {
      const body = {
        ...{ name: `broadcast ${n}`, emailId: mailed.emailId, audience: { staticListId: audience.staticListId }, when },
      };
      return (await tenant.post('/v2/broadcasts', body)).body.data.broadcastId;
    };
    const broadcastId = await newBroadcast({ kind: 'now' });
    const scheduledId = await newBroadcast({ kind: 'at', at: '2999-01-01T00:00:00Z' });
    await tenant.post(`/v2/broadcasts/${scheduledId}/send`);
    // A tenant may have a hundred at most.
    const hooks = await tenant.get('/v2/webhooks?pageSize=200');
    for (const { webhookId } of hooks.body.data.slice(50))
      if (webhookId !== keptWebhook()) await tenant.delete(`/v2/webhooks/${webhookId}`);
    // Without asking its issuer, because there is none.
    const provider = await t.db.transaction((tx) =>
      insertProvider(tx, tenant.tenantId, { ...directory, name: `directory ${n}` }, Number.MAX_SAFE_INTEGER),
    );
    const webhook = await tenant.post('/v2/webhooks', { url: 'https://example.com/', events: ['message.sent'] });
    return {
      n: String(n),
      tenantId: String(tenant.tenantId),
      tokenId: String(token.body.data.tokenId),
      accountId: String(account.body.data.accountId),
      invitationId: String(invitation.body.data.invitationId),
      domain,
      hookId: hook.body.data.hookId,
      folderId: folder.body.data.directoryId,
      listId,
      dynamicListId: dynamic.body.data.dynamicListId,
      contactId,
      email,
      orgId,
      userId,
      transactionId: acknowledged.body.data.transactionId,
      userTransactionId: user.body.data.transactionId,
      eventTransactionId: events.body.data.transactionId,
      importId: imported.body.data.transactionId,
      topicId: topic.body.data.topicId,
      formId: form.body.data.formId,
      emailId,
      fileId: file.body.data.fileId,
      blockId: block.body.data.blockId,
      messageId: queued.body.data.messageId,
      keptId: sent.body.data.messageId,
      journeyId,
      activeId,
      pausedId,
      broadcastId,
      scheduledId,
      enrolmentId: enrolments.body.data[0].enrolmentId,
      waitingId,
      waiterId: waiters.body.data[0].enrolmentId,
      webhookId: webhook.body.data.webhookId,
      providerId: String(provider?.providerId),
      appId: await makeConnectedApp(tenant.tenantId),
      transactionUuid: acknowledged.body.data.transactionId.slice(-36),
    };
  }

  async function makeConnectedApp(tenantId: number): Promise<string> {
    const account = await findAccount(t.db, tenantId, undefined);
    const workspace = {
      tenantId,
      accountId: account?.accountId as number,
      role: 'admin',
    } as const;
    const app = { clientId: 'x', name: 'An app', backTo: 'app.example', vouchedBy: undefined, stays: true };
    const asked = { app, scopes: ['READ'], resource: [], formTarget: 'https://app.example' };
    return hashOf(await allow({ db: t.db, clock }, asked, workspace, '127.0.0.1'));
  }

  return makeThings;
}
