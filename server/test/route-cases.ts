import { broadcastCases } from './broadcast-cases.js';
import { designCases } from './design-cases.js';
import { dynamicListCases } from './dynamic-list-cases.js';
import { enrolmentCases } from './enrolment-cases.js';
import { formCases } from './form-cases.js';
import { definition, type Things } from './tenant-things.js';

export interface Filled {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}
/** Requests that name things of another tenant (`of`), beside the caller's own things. */
export type Case = ((of: Things, own: Things) => Filled)[];

let renamed = 0;
const onList: Case = [(of) => ({ path: { id: of.listId } })];
const onFolder: Case = [(of) => ({ path: { id: of.folderId } })];
const onContact: Case = [(of) => ({ path: { id: of.contactId } })];
const onOrganization: Case = [(of) => ({ path: { orgId: of.orgId } })];
const onUser: Case = [(of) => ({ path: { userId: of.userId } })];
const onEmail: Case = [(of) => ({ path: { id: of.emailId } })];
const onTopic: Case = [(of) => ({ path: { topicId: of.topicId } })];
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
const onOwnDomain: Case = [(of) => ({ path: { domain: of.domain } })];
const onDomain: Case = [(of, own) => ({ path: { tenantId: own.tenantId, domain: of.domain } })];

export const cases: Record<string, Case> = {
  listLists: [],
  createList: [],
  getList: onList,
  updateList: [(of) => ({ path: { id: of.listId }, body: { name: `renamed ${++renamed}` } })],
  deleteList: onList,
  listMembers: onList,
  getListGrowth: onList,
  listListMovements: [(of) => ({ path: { id: of.listId }, query: { what: 'left' } })],
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
  ...dynamicListCases,
  listContactLists: onContact,
  ...{ listEmails: [], createEmail: [] },
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
  ...{ listEmailHistory: onEmail, listRecipients: onEmail },
  getEmailRevision: [(of) => ({ path: { id: of.emailId, revision: '1' } })],
  restoreEmail: [(of) => ({ path: { id: of.emailId }, body: { revision: 1 } })],
  testSendEmail: [
    (of) => ({ path: { id: of.emailId }, body: { to: 'me@example.com' } }),
    (of, own) => ({ path: { id: own.emailId }, body: { to: 'me@example.com', contactId: of.contactId } }),
  ],
  ...{ listEmailActivity: onEmail, listVariables: [] },
  listOutbox: [],
  getOutboxMessage: [(of) => ({ path: { messageId: of.keptId } })],
  storeVersion: [
    (of) => ({ body: { assetId: of.emailId, email: of.email, html: '{{unsubscribe_url}}' } }),
    (of, own) => ({ body: { assetId: own.emailId, email: of.email, html: '{{unsubscribe_url}}' } }),
    (of, own) => ({ body: { assetId: of.emailId, email: own.email, html: '{{unsubscribe_url}}' } }),
  ],
  // One outcome per item, always 200: tested in features/email-versions.
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
  // One outcome per message, always 200, and an empty page for anything that does not exist: tested in features/messages.
  sendMessages: [],
  listMessages: [],
  getMessage: onMessage,
  cancelMessage: onMessage,
  listSuppressions: [(of) => ({ query: { contactId: of.contactId } })],
  ...{ suppressAddress: [], listConsentLog: onContact },
  ...{ listTopics: [], createTopic: [], getTopic: onTopic, deleteTopic: onTopic, listContactTopics: onContact },
  updateTopic: [(of) => ({ path: { topicId: of.topicId }, body: { name: `renamed ${++renamed}` } })],
  ...{ ...formCases, ...designCases, ...broadcastCases },
  setContactTopic: [
    (of) => ({ path: { id: of.contactId, topicId: of.topicId } }),
    (of, own) => ({ path: { id: own.contactId, topicId: of.topicId } }),
    (of, own) => ({ path: { id: of.contactId, topicId: own.topicId } }),
  ],
  unsuppressAddress: [(of) => ({ path: { email: of.email } })],
  ...{ getSending: [], getSendingSetup: [], resumeSending: [] },
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
  ...enrolmentCases,
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
  // A definition that names things of another tenant gets faults in the response: tested in features/journeys.
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
  ...{ getEmailStats: onEmail, getTopicStats: onTopic },
  getStatsOverview: [],
  // An id of no email, or of another tenant's, gives an empty page: tested in features/stats.
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
  updateWebhook: [(of) => ({ path: { id: of.webhookId }, body: { isEnabled: false } })],
  ...{ testWebhook: onWebhook, rotateWebhookSecret: onWebhook },
  renewWebhookSecret: [],
  createIdentityProvider: [],
  listIdentityProviders: [],
  updateIdentityProvider: onProvider,
  deleteIdentityProvider: [(of) => ({ path: { providerId: of.providerId } })],
  checkIdentityProviderDomains: [(of) => ({ path: { providerId: of.providerId } })],
  ...{ listConnectedApps: [], listAgentPlans: [] },
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
  // A property that no contact has gives no values: features/properties tests the same for another tenant's.
  listProperties: [],
  listPropertyValues: [],
  // One outcome per event, always 200, and an empty page for anything that is not a contact: tested in features/events.
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
  // Empty if there are none, and only for the tenant: tested in features/events.
  listRecentEvents: [],
  listEventNames: [],
  listEventProperties: [(of) => ({ path: { eventName: `event ${of.n}` } })],
  listIngestLog: [],
  ...{ getMe: [], getWeeklySummary: [], setWeeklySummary: [] },
  ...{ listAlerts: [], getAlertMail: [], setAlertMail: [] },
  ...{ getAlertWebhook: [], setAlertWebhook: [], removeAlertWebhook: [], testAlertWebhook: [] },
  ...{ getWorkspace: [], getWorkspaceHealth: [], updateWorkspace: [] },
  ...{ listWorkspaceDomains: [], addWorkspaceDomain: [] },
  ...{ checkWorkspaceDomain: onOwnDomain, removeWorkspaceDomain: onOwnDomain },
  ...{ shareWorkspaceDomain: onOwnDomain, unshareWorkspaceDomain: onOwnDomain },
  getWorkspaceTransport: [],
  ...{ setWorkspaceTransport: [], testWorkspaceTransport: [], removeWorkspaceTransport: [] },
  ...{ getWorkspaceBranding: [], setWorkspaceBranding: [], previewWorkspaceBranding: [] },
  ...{ getWorkspaceEmailTheme: [], setWorkspaceEmailTheme: [], getDefaultSender: [], setDefaultSender: [] },
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
  // Actions of another tenant's account give an empty page: tested in features/workspace.
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
