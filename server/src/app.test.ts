// Walks every route of the contract: what holds for one must hold for all. A new route adds its line to `cases`.
import { pathsOf, type Route, routes, scopeOf } from '@rapport/contract';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminToken, badToken, type Client, challenge, type Reply, type TenantClient, useApp } from '../test/app.js';
import { useDns } from '../test/dns.js';
import { makeToken, outsideSettings, type TokenKind, tokenKinds, useIssuer, type Wanted } from '../test/token-kinds.js';
import { buildApp } from './app.js';
import { insertProvider } from './features/accounts/sso/queries.js';
import { allow } from './features/oauth/consent/allow.js';
import { hashOf } from './features/oauth/provider/adapter.js';
import { insertSendingDomain } from './features/sending/index.js';
import { findAccount } from './features/tenants/index.js';
import type { Clock } from './lib/clock.js';

// Time moves only between tests, so that a spent budget stays spent within one.
let elapsed = 0;
const clock: Clock = { now: () => new Date(), elapsed: () => elapsed };
const dns = useDns();
const issuer = useIssuer();
const t = useApp(() => ({ clock, work: true, dnsServers: [dns.address], outside: outsideSettings(issuer) }));
beforeEach(() => {
  elapsed += 2000;
});

/** Something of every kind, all of it of one tenant. */
interface Things {
  /** In the names of all of them. */
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
  messageId: string;
  /** Of the outbox. */
  keptId: string;
  /** A draft, one that is active, and one that is held. */
  journeyId: string;
  activeId: string;
  pausedId: string;
  enrolmentId: string;
  webhookId: string;
  providerId: string;
  /** Of a connected app. */
  appId: string;
}
/** Well-formed names of things that never were. */
const nothing: Things = {
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
  messageId: '9'.repeat(32),
  keptId: '<nothing@nobody.example>',
  journeyId: '1'.repeat(24),
  activeId: '2'.repeat(24),
  pausedId: '3'.repeat(24),
  enrolmentId: '4'.repeat(32),
  webhookId: '9'.repeat(24),
  providerId: '999999999',
  appId: '8'.repeat(64),
};
let made = 0;

async function makeThings(tenant: TenantClient): Promise<Things> {
  const n = ++made;
  const [domain, email, orgId, userId] = [`d${n}.example`, `person${n}@example.com`, `organization-${n}`, `login-${n}`];
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
  const sent = await tenant.post(`/v2/emails/${emailId}/test-send`, { to: email });
  const queued = await tenant.post('/v2/messages', { emailId, email, sendAt: '2099-01-01' });
  await tenant.put(`/v2/suppressions/${email}`);
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
  // A tenant has a hundred at most.
  const hooks = await tenant.get('/v2/webhooks?pageSize=200');
  for (const { webhookId } of hooks.body.data.slice(50))
    if (webhookId !== lasting?.own.webhookId) await tenant.delete(`/v2/webhooks/${webhookId}`);
  // Without asking its issuer, which there is none.
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
    emailId,
    messageId: queued.body.data.messageId,
    keptId: sent.body.data.messageId,
    journeyId,
    activeId,
    pausedId,
    enrolmentId: enrolments.body.data[0].enrolmentId,
    webhookId: webhook.body.data.webhookId,
    providerId: String(provider?.providerId),
    appId: await makeConnectedApp(tenant.tenantId),
    transactionUuid: acknowledged.body.data.transactionId.slice(-36),
  };
}

const directory = {
  ...{ issuer: 'https://id.example', clientId: 'rapport', domains: ['people.example'] },
  ...{ isRequired: false, joinsAs: null },
};
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

const definition = { entry: { api: true }, steps: [{ id: 'end', type: 'exit' }] };

interface Filled {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}
/** Requests that name things of another tenant (`of`), beside things of the caller's own. */
type Case = ((of: Things, own: Things) => Filled)[];

let renamed = 0;
const onList: Case = [(of) => ({ path: { id: of.listId } })];
const onDynamicList: Case = [(of) => ({ path: { id: of.dynamicListId } })];
const onFolder: Case = [(of) => ({ path: { id: of.folderId } })];
const onContact: Case = [(of) => ({ path: { id: of.contactId } })];
const onOrganization: Case = [(of) => ({ path: { orgId: of.orgId } })];
const onUser: Case = [(of) => ({ path: { userId: of.userId } })];
const onEmail: Case = [(of) => ({ path: { id: of.emailId } })];
const onMessage: Case = [(of) => ({ path: { messageId: of.messageId } })];
const onJourney: Case = [(of) => ({ path: { id: of.journeyId } })];
const onWebhook: Case = [(of) => ({ path: { id: of.webhookId } })];
const onProvider: Case = [(of) => ({ path: { providerId: of.providerId }, body: { name: `renamed ${++renamed}` } })];
const onTransaction: Case = [
  (of) => ({ path: { transactionId: of.transactionId } }),
  (of, own) => ({ path: { transactionId: `${own.tenantId}-${of.transactionUuid}` } }),
];
const onTenant: Case = [(of) => ({ path: { tenantId: of.tenantId } })];
const onPerson: Case = [(of) => ({ path: { accountId: of.accountId } })];
const onInvitation: Case = [(of) => ({ path: { invitationId: of.invitationId } })];
const onDomain: Case = [(of, own) => ({ path: { tenantId: own.tenantId, domain: of.domain } })];

const cases: Record<string, Case> = {
  listLists: [],
  createList: [],
  getList: onList,
  updateList: [(of) => ({ path: { id: of.listId }, body: { name: `renamed ${++renamed}` } })],
  deleteList: onList,
  listMembers: onList,
  addMembers: [
    (of) => ({ path: { id: of.listId }, body: { contactIds: [of.contactId] } }),
    (of, own) => ({ path: { id: own.listId }, body: { contactIds: [of.contactId] } }),
    (of, own) => ({ path: { id: of.listId }, body: { contactIds: [own.contactId] } }),
  ],
  removeMember: [
    (of) => ({ path: { id: of.listId, contactId: of.contactId } }),
    (of, own) => ({ path: { id: own.listId, contactId: of.contactId } }),
    (of, own) => ({ path: { id: of.listId, contactId: own.contactId } }),
  ],
  listDynamicLists: [],
  listDynamicListStates: [],
  createDynamicList: [
    (of) => ({ body: { name: 'x', filter: { staticListId: of.listId } } }),
    (of) => ({ body: { name: 'x', filter: { dynamicListId: of.dynamicListId } } }),
    (of) => ({ body: { name: 'x', filter: { all: [] }, folderId: of.folderId } }),
  ],
  getDynamicList: onDynamicList,
  updateDynamicList: [
    (of) => ({ path: { id: of.dynamicListId }, body: { name: 'x' } }),
    (of, own) => ({ path: { id: own.dynamicListId }, body: { folderId: of.folderId } }),
  ],
  deleteDynamicList: onDynamicList,
  listDynamicMembers: onDynamicList,
  explainDynamicList: [
    (of) => ({ path: { id: of.dynamicListId }, query: { contactId: of.contactId } }),
    (of, own) => ({ path: { id: own.dynamicListId }, query: { contactId: of.contactId } }),
    (of, own) => ({ path: { id: of.dynamicListId }, query: { contactId: own.contactId } }),
  ],
  previewDynamicList: [(of) => ({ body: { filter: { any: [{ staticListId: of.listId }] } } })],
  previewFilter: [(of) => ({ query: { filter: JSON.stringify({ any: [{ staticListId: of.listId }] }) } })],
  explainFilter: [
    (of) => ({ query: { filter: '{"all":[]}', contactId: of.contactId } }),
    (of, own) => ({ query: { filter: JSON.stringify({ staticListId: of.listId }), contactId: own.contactId } }),
  ],
  listContactLists: onContact,
  listEmails: [],
  createEmail: [],
  getEmail: onEmail,
  updateEmail: [(of) => ({ path: { id: of.emailId }, body: { name: `renamed ${++renamed}` } })],
  deleteEmail: onEmail,
  previewEmail: [
    (of) => ({ path: { id: of.emailId }, body: {} }),
    (of, own) => ({ path: { id: own.emailId }, body: { email: of.email } }),
    (of, own) => ({ path: { id: own.emailId }, body: { contactId: of.contactId } }),
  ],
  previewSavedEmail: [
    (of) => ({ path: { id: of.emailId } }),
    (of, own) => ({ path: { id: own.emailId }, query: { contactId: of.contactId } }),
    (of, own) => ({ path: { id: of.emailId }, query: { contactId: own.contactId } }),
  ],
  listEmailHistory: onEmail,
  getEmailRevision: [(of) => ({ path: { id: of.emailId, revision: '1' } })],
  restoreEmail: [(of) => ({ path: { id: of.emailId }, body: { revision: 1 } })],
  testSendEmail: [
    (of) => ({ path: { id: of.emailId }, body: { to: 'me@example.com' } }),
    (of, own) => ({ path: { id: own.emailId }, body: { to: 'me@example.com', contactId: of.contactId } }),
  ],
  listEmailActivity: onEmail,
  listVariables: [],
  listOutbox: [],
  getOutboxMessage: [(of) => ({ path: { messageId: of.keptId } })],
  storeVersion: [
    (of) => ({ body: { assetId: of.emailId, email: of.email, html: '{{unsubscribe_url}}' } }),
    (of, own) => ({ body: { assetId: own.emailId, email: of.email, html: '{{unsubscribe_url}}' } }),
    (of, own) => ({ body: { assetId: of.emailId, email: own.email, html: '{{unsubscribe_url}}' } }),
  ],
  // One outcome an item, always 200: features/email-versions proves the same for it.
  storeVersions: [],
  listVersions: [(of) => ({ query: { assetId: of.emailId, contactId: of.contactId } })],
  deleteVersion: [
    (of) => ({ query: { assetId: of.emailId, email: of.email } }),
    (of, own) => ({ query: { assetId: own.emailId, email: of.email } }),
    (of, own) => ({ query: { assetId: of.emailId, email: own.email } }),
  ],
  sendMessage: [
    (of) => ({ body: { emailId: of.emailId, email: of.email } }),
    (of, own) => ({ body: { emailId: own.emailId, email: of.email } }),
    (of, own) => ({ body: { emailId: own.emailId, contactId: of.contactId } }),
    (of, own) => ({ body: { emailId: of.emailId, contactId: own.contactId } }),
  ],
  // One outcome a message, always 200, and an empty page for whatever is not there: features/messages proves the same.
  sendMessages: [],
  listMessages: [],
  getMessage: onMessage,
  cancelMessage: onMessage,
  listSuppressions: [(of) => ({ query: { contactId: of.contactId } })],
  suppressAddress: [],
  unsuppressAddress: [(of) => ({ path: { email: of.email } })],
  getSending: [],
  getSendingSetup: [],
  resumeSending: [],
  listJourneys: [],
  createJourney: [(of) => ({ body: { name: 'x', type: 'batch', folderId: of.folderId } })],
  getJourney: onJourney,
  updateJourney: [
    (of) => ({ path: { id: of.journeyId }, body: { name: 'x' } }),
    (of, own) => ({ path: { id: own.journeyId }, body: { folderId: of.folderId } }),
  ],
  deleteJourney: onJourney,
  activateJourney: onJourney,
  deactivateJourney: [(of) => ({ path: { id: of.activeId } })],
  pauseJourney: [(of) => ({ path: { id: of.activeId } })],
  resumeJourney: [(of) => ({ path: { id: of.pausedId } })],
  listEnrolments: [(of) => ({ path: { id: of.pausedId } })],
  getEnrolment: [
    (of) => ({ path: { id: of.pausedId, enrolmentId: of.enrolmentId } }),
    (of, own) => ({ path: { id: own.pausedId, enrolmentId: of.enrolmentId } }),
  ],
  listContactJourneys: onContact,
  enrollContacts: [
    (of) => ({ path: { id: of.activeId }, body: { contactIds: [of.contactId] } }),
    (of, own) => ({ path: { id: own.activeId }, body: { contactIds: [of.contactId] } }),
  ],
  listJourneyVersions: [(of) => ({ path: { id: of.activeId } })],
  compareJourney: [(of) => ({ path: { id: of.activeId }, body: { definition } })],
  simulateJourney: [
    (of, own) => ({ path: { id: of.activeId }, body: { contactIds: [own.contactId] } }),
    (of, own) => ({ path: { id: own.activeId }, body: { contactIds: [of.contactId] } }),
  ],
  explainJourney: [
    (of) => ({ path: { id: of.activeId }, query: { contactId: of.contactId } }),
    (of, own) => ({ path: { id: own.activeId }, query: { contactId: of.contactId } }),
  ],
  // What a definition names of another tenant is a fault in the answer: features/journeys proves it.
  checkJourney: [],
  listJourneyRuns: onJourney,
  reachJourney: onJourney,
  why: [
    (of, own) => ({ query: { contactId: own.contactId, journeyId: of.journeyId } }),
    (of, own) => ({ query: { contactId: own.contactId, emailId: of.emailId } }),
    (of, own) => ({ query: { contactId: own.contactId, messageId: of.messageId } }),
    (of, own) => ({ query: { contactId: own.contactId, dynamicListId: of.dynamicListId } }),
    (of, own) => ({ query: { contactId: own.contactId, staticListId: of.listId } }),
    (of, own) => ({ query: { contactId: of.contactId, journeyId: own.journeyId } }),
    (of, own) => ({ query: { email: of.email, emailId: own.emailId } }),
  ],
  getJourneyStats: onJourney,
  getJourneyRollup: [],
  getEmailStats: onEmail,
  getStatsOverview: [],
  // An id of no email, or of another tenant's, is an empty page: features/stats proves it.
  listStatsDomains: [],
  listStatsEmails: [],
  listStatsLinks: [],
  getJourneyFunnel: onJourney,
  createWebhook: [],
  listWebhooks: [],
  getWebhook: onWebhook,
  deleteWebhook: onWebhook,
  listWebhookDeliveries: onWebhook,
  resumeWebhook: onWebhook,
  renewWebhookSecret: [],
  createIdentityProvider: [],
  listIdentityProviders: [],
  updateIdentityProvider: onProvider,
  deleteIdentityProvider: [(of) => ({ path: { providerId: of.providerId } })],
  checkIdentityProviderDomains: [(of) => ({ path: { providerId: of.providerId } })],
  listConnectedApps: [],
  disconnectApp: [(of) => ({ path: { appId: of.appId } })],
  listFolders: [],
  createFolder: [],
  updateFolder: [(of) => ({ path: { id: of.folderId }, body: { name: `renamed ${++renamed}` } })],
  deleteFolder: onFolder,
  createContact: [],
  batchContacts: [],
  listContacts: [],
  getContact: onContact,
  updateContact: onContact,
  deleteContact: onContact,
  listContactChanges: onContact,
  exportContact: onContact,
  getContactByEmail: [(of) => ({ path: { email: of.email } })],
  getContactTransaction: onTransaction,
  importContacts: [],
  listImports: [],
  getImport: [(of) => ({ path: { transactionId: of.importId } }), ...onTransaction],
  // Of what nobody has there is nothing: features/properties proves the same for another tenant's.
  listProperties: [],
  listPropertyValues: [],
  // One outcome an event, always 200, and an empty page for whatever is no contact: features/events proves the same.
  createEvents: [],
  listProductActivity: [],
  getEventTransaction: [(of) => ({ path: { transactionId: of.eventTransactionId } }), ...onTransaction],
  listMarketingActivity: onContact,
  listContactActivity: onContact,
  createUser: [(of) => ({ body: { email: 'new@example.com', orgIds: [of.orgId] } })],
  getUser: onUser,
  deleteUser: onUser,
  getUsersByEmail: [(of) => ({ path: { email: of.email } })],
  getUserTransaction: [(of) => ({ path: { transactionId: of.userTransactionId } }), ...onTransaction],
  listOrganizations: [],
  createOrganization: [],
  getOrganization: onOrganization,
  updateOrganization: onOrganization,
  listOrganizationMembers: onOrganization,
  removeOrganizationMember: [
    (of) => ({ path: { orgId: of.orgId, userId: of.userId } }),
    (of, own) => ({ path: { orgId: own.orgId, userId: of.userId } }),
    (of, own) => ({ path: { orgId: of.orgId, userId: own.userId } }),
  ],
  // Empty where there are none, and only of the tenant: features/events proves it.
  listRecentEvents: [],
  listEventNames: [],
  listEventProperties: [(of) => ({ path: { eventName: `event ${of.n}` } })],
  listIngestLog: [],
  getMe: [],
  getWorkspace: [],
  getWorkspaceHealth: [],
  updateWorkspace: [],
  listWorkspaceDomains: [],
  addWorkspaceDomain: [],
  checkWorkspaceDomain: [(of) => ({ path: { domain: of.domain } })],
  removeWorkspaceDomain: [(of) => ({ path: { domain: of.domain } })],
  getWorkspaceTransport: [],
  setWorkspaceTransport: [],
  removeWorkspaceTransport: [],
  listWorkspaceHooks: [],
  createWorkspaceHook: [],
  removeWorkspaceHook: [(of) => ({ path: { hookId: of.hookId } })],
  listPeople: [],
  updatePerson: [(of) => ({ path: { accountId: of.accountId }, body: { role: 'viewer', name: 'x' } })],
  deactivatePerson: onPerson,
  reactivatePerson: onPerson,
  listInvitations: [],
  createInvitation: [],
  resendInvitation: onInvitation,
  revokeInvitation: onInvitation,
  createTenantInvitation: onTenant,
  listPersonalTokens: [],
  createPersonalToken: [],
  revokePersonalToken: [(of) => ({ path: { tokenId: of.tokenId } })],
  // What an account of another tenant did is an empty page: features/workspace proves it.
  listAuditLog: [],
  createTenant: [],
  listWork: [],
  listTenants: [],
  updateTenant: onTenant,
  createAccount: onTenant,
  listAccounts: onTenant,
  createToken: onTenant,
  listTokens: onTenant,
  revokeToken: [(of, own) => ({ path: { tenantId: own.tenantId, tokenId: of.tokenId } })],
  addSendingDomain: onTenant,
  listSendingDomains: onTenant,
  checkSendingDomain: onDomain,
  removeSendingDomain: onDomain,
  setTransport: onTenant,
  getTransport: onTenant,
  removeTransport: onTenant,
  createMailHook: onTenant,
  listMailHooks: onTenant,
  removeMailHook: [(of, own) => ({ path: { tenantId: own.tenantId, hookId: of.hookId } })],
};

/** What a body refers to and is not there is a 400 that names it. */
const referring = ['createDynamicList', 'previewDynamicList', 'previewFilter', 'createJourney'];

function fill(pattern: string, values: Record<string, string> = {}): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'x'));
}

function send(client: Client, route: Route, pattern: string, { path, query, body }: Filled = {}): Promise<Reply> {
  const [streamed] = Object.entries(route.consumes ?? {});
  const payload = body ?? streamed?.[1] ?? (route.body ? route.example.body : undefined);
  const url = fill(pattern, path) + (query ? `?${new URLSearchParams(query)}` : '');
  return client.send(route.method, url, payload, streamed ? { 'content-type': streamed[0] } : {});
}

function expectEmpty(reply: Reply, status: number): void {
  expect(reply).toMatchObject({ status, text: '' });
  expect(reply.headers).not.toHaveProperty('content-type');
  expect(reply.headers['x-request-id']).toBeTruthy();
}

/** An answer without its moment, and with the names it echoes told by their kind. */
function withoutNames({ status, headers, text }: Reply, things: Things): object {
  let plain = text.replace(/"timestamp":"[^"]*"/, '');
  const names = Object.entries(things).filter(([, name]) => name.length > 5 && !/^9+$/.test(name));
  for (const [kind, name] of names.sort(([, a], [, b]) => b.length - a.length)) plain = plain.replaceAll(name, kind);
  const { 'x-request-id': _id, date: _date, 'content-length': _length, ...rest } = headers;
  return { status, headers: rest, plain };
}

let [ours, theirs]: TenantClient[] = [];
const documents: Record<string, Reply> = {};

/** Who holds a token of some kind. */
type Holder = 'reads' | 'writes' | 'viewer' | 'over' | 'expired' | 'spent';
const holders = {} as Record<TokenKind, Record<Holder, Client>>;
async function makeHolders(kind: TokenKind): Promise<Record<Holder, Client>> {
  const { tenantId } = await t.tenant();
  const holder = async (wanted: Omit<Wanted, 'kind'>, of?: number) => {
    const at = of ?? (await t.tenant()).tenantId;
    return t.withToken(await makeToken(t, issuer, at, { kind, ...wanted }));
  };
  return {
    reads: await holder({ scopes: ['READ'] }, tenantId),
    writes: await holder({ scopes: ['WRITE'] }, tenantId),
    viewer: await holder({ role: 'viewer' }),
    over: await holder({ state: 'over' }),
    expired: await holder({ state: 'expired' }),
    spent: await holder({}, (await t.tenant({ rateLimit: 1 })).tenantId),
  };
}

beforeAll(async () => {
  for (const kind of tokenKinds) holders[kind] = await makeHolders(kind);
  [ours, theirs] = [await t.tenant(), await t.tenant()];
  for (const version of ['v1', 'v2']) documents[version] = await t.anonymous.get(`/openapi/${version}.json`);
});

// To make them takes many requests: what no test changes is made once. Where a test found it changed, the next gets its own again.
let lasting: { own: Things; of: Things } | undefined;
async function lastingThings(): Promise<{ own: Things; of: Things }> {
  lasting ??= { own: await makeThings(ours as TenantClient), of: await makeThings(theirs as TenantClient) };
  return lasting;
}

/** For requests that change things: used until one finds nothing there any more. */
let spare: Things | undefined;

it('has a line here for every route of the contract', () => {
  expect(Object.keys(cases).sort()).toEqual(routes.map((route) => route.id).sort());
});

const served = routes.flatMap((route) =>
  pathsOf(route).map((pattern) => ({ route, pattern, name: `${route.method} ${pattern}` })),
);

describe.each(served.filter(({ route }) => route.area === 'api'))('$name', ({ route, pattern }) => {
  it('is in the OpenAPI document of its version, and of no other', async () => {
    for (const version of ['v1', 'v2'] as const) {
      const operation = documents[version]?.body.paths[`/${version}${route.path}`]?.[route.method.toLowerCase()];
      expect(operation?.operationId).toBe(route.versions.includes(version) ? route.id : undefined);
    }
  });

  it('is served', async () => {
    const { status, text } = await send(ours as TenantClient, route, pattern);
    expect([200, 400, 404, 409]).toContain(status);
    expect(text).not.toContain('No such route');
  });

  it('asks for a token', async () => {
    for (const client of [t.anonymous, t.withToken('x'), t.admin]) {
      const reply = await send(client, route, pattern);
      expectEmpty(reply, 401);
      expect(reply.headers['www-authenticate']).toBe(client === t.anonymous ? challenge : badToken);
    }
  });

  it.each(tokenKinds)('takes and refuses a token as it must, and every kind alike: %s', async (kind) => {
    const scope = scopeOf(route.method);
    const [right, other] = scope === 'READ' ? (['reads', 'writes'] as const) : (['writes', 'reads'] as const);
    const { [right]: good, [other]: wrong, viewer, over, expired, spent } = holders[kind];
    const answer = await send(good, route, pattern);
    expect([200, 400, 404, 409]).toContain(answer.status);
    const refused = await send(wrong, route, pattern);
    expectEmpty(refused, 403);
    expect(refused.headers['www-authenticate']).toBe(`${challenge}, error="insufficient_scope", scope="${scope}"`);
    const viewed = await send(viewer, route, pattern);
    if (scope === 'READ' && !route.adminOnly) expect([200, 400, 404, 409]).toContain(viewed.status);
    else expectEmpty(viewed, 403);
    for (const client of [over, expired]) {
      const reply = await send(client, route, pattern);
      expectEmpty(reply, 401);
      expect(reply.headers['www-authenticate']).toBe(badToken);
    }
    const first = await send(spent, route, pattern);
    expect(first.headers['x-ratelimit-limit']).toBe('1');
    expect([200, 400, 404, 409]).toContain(first.status);
    const second = await send(spent, route, pattern);
    expectEmpty(second, 429);
    expect(second.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    // Of the same request in the same place: each kind has tenants of its own, which saw the same requests before.
    const answers = [answer, viewed, first, second].map(likeOthers);
    personal[pattern + route.method] ??= answers;
    expect(answers).toEqual(personal[pattern + route.method]);
  });
});

/** What clients get for each path with the first kind of token. */
const personal: Record<string, object[]> = {};

/** An answer without what is new in each: ids, times, secrets. */
function likeOthers({ status, headers, text, body }: Reply): object {
  const { 'x-request-id': _id, date: _date, 'content-length': _length, etag, ...rest } = headers;
  // How many rows there are is another matter: a list of tokens has the one that asked.
  const data = Array.isArray(body?.data) ? body.data[0] : body?.data;
  const said = status === 200 ? Object.keys(data ?? {}) : text.replace(/"timestamp":"[^"]*"/, '');
  return { status, rest, said, hasTag: etag !== undefined };
}

describe.each(served.filter(({ route }) => (cases[route.id]?.length ?? 0) > 0))('$name', ({ route, pattern }) => {
  const isAdmin = route.area === 'admin';

  it('answers what is another tenant’s as what never was', async () => {
    const { own, of } = await lastingThings();
    lasting = undefined;
    // An administrator names the tenant in the path, and may name any: only the things in it can be another's.
    const variants = (cases[route.id] ?? []).filter(
      (variant) => !isAdmin || variant(of, own).path?.tenantId === own.tenantId,
    );
    const caller = isAdmin ? t.admin : (ours as TenantClient);
    for (const variant of variants) {
      const there = await send(caller, route, pattern, variant(of, own));
      const nowhere = await send(caller, route, pattern, variant(nothing, own));
      expect(withoutNames(there, of)).toEqual(withoutNames(nowhere, nothing));
    }
    if (route.method !== 'GET') await expectUntouched(theirs as TenantClient, of);
    lasting = { own, of };
  });

  it('answers what never was with 404, or as the contract says for contacts, transactions and filters', async () => {
    const caller = isAdmin ? t.admin : (ours as TenantClient);
    const [variant] = cases[route.id] as Case;
    const { status, body } = await send(caller, route, pattern, variant?.(nothing, nothing));
    const code = body.errors[0]?.errorCode ?? body.data.status;
    const wanted = referring.includes(route.id)
      ? /^400 VALIDATION_ERROR$/
      : /^(404 NOT_FOUND|400 BAS-E-002|200 NOT_EXIST)$/;
    expect([status, code].join(' ')).toMatch(wanted);
  });

  it('answers the same request about its own with 200', async () => {
    const caller = isAdmin ? t.admin : (ours as TenantClient);
    const [variant] = cases[route.id] as Case;
    const statusOf = async (own: Things) => (await send(caller, route, pattern, variant?.(own, own))).status;
    if (route.method === 'GET') return expect(await statusOf((await lastingThings()).own)).toBe(200);
    // What an earlier request took away is there again in things of its own.
    if (spare && (await statusOf(spare)) === 200) return;
    spare = await makeThings(ours as TenantClient);
    expect(await statusOf(spare)).toBe(200);
  });
});

async function expectUntouched(tenant: TenantClient, things: Things): Promise<void> {
  const list = await tenant.get(`/v1/lists/${things.listId}`);
  expect(list.body.data).toMatchObject({ directoryId: things.folderId, name: `list ${things.n}`, numRecords: 1 });
  const contact = await tenant.get(`/v1/contacts/${things.contactId}`);
  expect(contact.body.data).toMatchObject({ email: things.email, properties: { plan: 'pro' } });
  const user = await tenant.get(`/v2/users/${things.userId}`);
  expect(user.body.data).toMatchObject({ email: things.email, orgIds: [things.orgId] });
  const members = await tenant.get(`/v1/lists/${things.listId}/members`);
  expect(members.body.data).toMatchObject([{ contactId: things.contactId }]);
  const organization = await tenant.get(`/v2/organizations/${things.orgId}`);
  expect(organization.body.data).toMatchObject({ name: things.orgId, properties: {} });
  const users = await tenant.get(`/v2/organizations/${things.orgId}/members`);
  expect(users.body.data).toMatchObject([{ userId: things.userId, contactId: things.contactId }]);
  const journey = await tenant.get(`/v2/journeys/${things.journeyId}`);
  expect(journey.body.data).toMatchObject({ name: `journey ${things.n}`, status: 'draft', definition, revision: 1 });
  const active = await tenant.get(`/v2/journeys/${things.activeId}`);
  expect(active.body.data).toMatchObject({ status: 'active', isPaused: false });
  const paused = await tenant.get(`/v2/journeys/${things.pausedId}`);
  expect(paused.body.data).toMatchObject({ status: 'active', isPaused: true });
  const email = await tenant.get(`/v1/emails/${things.emailId}`);
  expect(email.body.data).toMatchObject({ name: `email ${things.n}`, fromEmail: { email: `us@${things.domain}` } });
  const versions = await tenant.get(`/v1/email-versions?assetId=${things.emailId}`);
  expect(versions.body.data).toMatchObject([{ email: things.email, status: 'ready' }]);
  const message = await tenant.get(`/v2/outbox/${encodeURIComponent(things.keptId)}`);
  const queued = await tenant.get(`/v2/messages/${things.messageId}`);
  expect(queued.body.data).toMatchObject({ state: 'queued', email: things.email });
  const suppressions = await tenant.get(`/v2/suppressions?search=${encodeURIComponent(things.email)}`);
  expect(suppressions.body.data).toMatchObject([{ email: things.email, reason: 'manual' }]);
  expect(message.body.data).toMatchObject({ to: things.email, subject: 'Hello' });
  const [provider] = (await tenant.get('/v2/identity-providers?pageSize=1')).body.data;
  expect(provider).toMatchObject({ providerId: Number(things.providerId), name: `directory ${things.n}` });
  const folders = await tenant.get('/v2/folders?pageSize=1');
  expect(folders.body.data).toEqual([{ directoryId: things.folderId, directoryName: `folder ${things.n}` }]);
  const domains = await t.admin.get(`/admin/tenants/${things.tenantId}/sending-domains?pageSize=200`);
  expect(domains.body.data).toContainEqual(expect.objectContaining({ domain: things.domain }));
  const transport = await t.admin.get(`/admin/tenants/${things.tenantId}/transport`);
  expect(transport.body.data).toMatchObject({ smtpUrl: 'smtp://mail.example' });
  const [hook] = (await t.admin.get(`/admin/tenants/${things.tenantId}/mail-hooks?pageSize=1`)).body.data;
  expect(hook).toMatchObject({ hookId: things.hookId });
  const [invitation] = (await tenant.get('/v2/invitations?pageSize=1')).body.data;
  expect(invitation).toMatchObject({ invitationId: Number(things.invitationId), status: 'open' });
  const people = await tenant.get('/v2/people?pageSize=200');
  const somebody = { accountId: Number(things.accountId), name: 'somebody', role: 'admin', state: 'active' };
  expect(people.body.data).toContainEqual(expect.objectContaining(somebody));
  const [token] = (await t.admin.get(`/admin/tenants/${things.tenantId}/tokens?pageSize=1`)).body.data;
  expect(token).toMatchObject({ tokenId: Number(things.tokenId), revokedAt: null });
}

describe.each(served.filter(({ route }) => route.area === 'admin'))('$name', ({ route, pattern }) => {
  it('asks for the administrator’s token', async () => {
    for (const client of [t.anonymous, ours as TenantClient]) expectEmpty(await send(client, route, pattern), 401);
  });

  it('is throttled', async () => {
    const first = await send(t.admin, route, pattern, { body: {} });
    // What is left of the budget goes to requests that cost little.
    const left = Number(first.headers['x-ratelimit-limit']) - 1;
    const others = await Promise.all(Array.from({ length: left }, () => t.admin.get('/admin/tenants/x')));
    for (const { status } of [first, ...others]) expect(status).not.toBe(429);
    const last = await send(t.admin, route, pattern, { body: {} });
    expectEmpty(last, 429);
    expect(last.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });

  it('is in no OpenAPI document', async () => {
    for (const { text } of Object.values(documents)) expect(text).not.toContain('/admin/');
  });
});

describe('what lies outside of the versions', () => {
  it.each([
    ['/healthz', 'application/json; charset=utf-8'],
    ['/readyz', 'application/json; charset=utf-8'],
    ['/openapi/v1.json', 'application/json; charset=utf-8'],
    ['/openapi/v2.json', 'application/json; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/', 'text/html; charset=utf-8'],
    ['/docs/reference.css', 'text/css; charset=utf-8'],
    ['/docs/reference.js', 'text/javascript; charset=utf-8'],
    ['/docs/operations.json', 'application/json; charset=utf-8'],
    ['/docs/inter.woff2', 'font/woff2'],
  ])('%s is there for everybody', async (path, type) => {
    const reply = await t.anonymous.get(path);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe(type);
    expect(reply.headers['x-request-id']).toBeTruthy();
    expect(reply.text.length).toBeGreaterThan(0);
    expect((await t.withToken('wrong').get(path)).status).toBe(200);
  });

  it.each(['/docs', '/docs/reference.css', '/docs/reference.js'])(
    '%s may load nothing from elsewhere',
    async (path) => {
      const { headers } = await t.anonymous.get(path);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|http/);
      expect(headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it('says in OpenAPI where the service is and which version it has', async () => {
    for (const version of ['v1', 'v2']) {
      const { body } = await t.anonymous.get(`/openapi/${version}.json`);
      expect(body).toMatchObject({ info: { version: '1.0.0' }, servers: [{ url: 'http://rapport.test' }] });
    }
  });

  it('is healthy and ready in an envelope', async () => {
    expect((await t.anonymous.get('/healthz')).body).toMatchObject({
      data: { status: 'ok' },
      errors: [],
      meta: { status: 'SUCCESS' },
    });
    expect((await t.anonymous.get('/readyz')).body).toMatchObject({
      data: { status: 'ready' },
      meta: { status: 'SUCCESS' },
    });
  });

  it('is not ready while it drains or cannot reach its database, but healthy', async () => {
    const log = pino({ level: 'silent' });
    const ping = () => Promise.reject(new Error('connect to secret-host'));
    const draining = buildApp({ db: t.db, adminToken, baseUrl: () => '', log });
    const cutOff = buildApp({ db: { ...t.db, ping }, adminToken, baseUrl: () => '', log });
    expect((await draining.http.inject('/readyz')).statusCode).toBe(200);
    draining.drain();
    for (const { http } of [draining, cutOff]) {
      const reply = await http.inject('/readyz');
      expect(reply.statusCode).toBe(503);
      expect(reply.json().errors[0].errorCode).toBe('NOT_READY');
      expect(reply.payload).not.toContain('secret-host');
      expect((await http.inject('/healthz')).statusCode).toBe(200);
    }
    await draining.close();
    await cutOff.close();
  });

  it('shows metrics to the administrator alone, by route and never by id', async () => {
    const things = await makeThings(ours as TenantClient);
    for (const client of [t.anonymous, ours as TenantClient]) expectEmpty(await client.get('/metrics'), 401);
    const reply = await t.admin.get('/metrics');
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toContain('text/plain');
    expect(reply.text).toContain(
      'rapport_http_request_duration_seconds_count{method="GET",route="/v1/contacts/by-email/{email}",status="200"}',
    );
    expect(reply.text).not.toContain(things.email);
    expect(reply.text).not.toContain(things.listId);
  });
});
