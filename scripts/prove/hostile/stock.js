// What the fuzzer knows to exist, from earlier responses: without it, every request would end at "not found".
/** @typedef {import('./random.js').Random} Random */
/** @typedef {import('./operations.js').Operation} Operation */
/** @typedef {Record<string, string>} Thing Values for the names in a path or a query. */

const most = 300;
// If there are fewer than this, one is created instead of deleted.
const few = 8;

// Deleting a thing also removes what belongs to it.
const wholes = [
  'contact',
  'topic',
  'list',
  'dynamicList',
  'organization',
  'user',
  'email',
  'tenant',
  'idleJourney',
  'webhook',
];

/** What the names in a path refer to. The first match counts. */
const kinds = /** @type {[RegExp, string][]} */ ([
  [/\/lists\/\{id\}\/members\/\{contactId\}/, 'member'],
  [/\/lists\/\{id\}/, 'list'],
  [/\/dynamic-lists\/\{id\}/, 'dynamicList'],
  [/\/organizations\/\{orgId\}\/members\/\{userId\}/, 'colleague'],
  [/\/organizations\/\{orgId\}/, 'organization'],
  [/\/contacts\/\{id\}\/topics\/\{topicId\}/, 'contactTopic'],
  [/\/topics\/\{topicId\}/, 'topic'],
  [/\/contacts\/\{id\}/, 'contact'],
  [/\/contacts\/by-email/, 'contactByEmail'],
  [/\/users\/by-email/, 'userByEmail'],
  [/\/contacts\/transactions/, 'contactWrite'],
  [/\/users\/transactions/, 'userWrite'],
  [/\/events\/transactions/, 'eventWrite'],
  [/\/exports\/transactions/, 'contactWrite'],
  [/\/imports\/\{transactionId\}/, 'import'],
  [/\/users\/\{userId\}/, 'user'],
  [/\/emails\/\{id\}\/history\/\{revision\}/, 'revision'],
  [/\/emails\/\{id\}/, 'email'],
  [/\/event-names\/\{eventName\}/, 'eventName'],
  [/\/people\/\{accountId\}/, 'person'],
  [/\/invitations\/\{invitationId\}/, 'invitation'],
  [/\/workspace\/sending-domains\/\{domain\}/, 'ownDomain'],
  [/\/workspace\/mail-hooks\/\{hookId\}/, 'ownHook'],
  [/\/outbox\/\{messageId\}/, 'kept'],
  [/\/messages\/\{messageId\}\/cancel/, 'queued'],
  [/\/messages\/\{messageId\}/, 'message'],
  [/\/suppressions\/\{email\}/, 'suppression'],
  [/\/folders\/\{id\}/, 'folder'],
  [/\/tokens\/\{tokenId\}/, 'token'],
  [/\/sending-domains\/\{domain\}/, 'domain'],
  [/\/mail-hooks\/\{hookId\}/, 'hook'],
  [/\/tenants\/\{tenantId\}/, 'tenant'],
  [/\/journeys\/\{id\}\/enrolments\/\{enrolmentId\}/, 'enrolment'],
  [/\/journeys\/\{id\}\/(deactivate|pause|enroll)/, 'activeJourney'],
  [/\/journeys\/\{id\}\/resume/, 'pausedJourney'],
  [/\/journeys\/\{id\}\/activate/, 'idleJourney'],
  [/\/journeys\/\{id\}/, 'journey'],
  [/\/webhooks\/\{id\}/, 'webhook'],
]);

/** The operation that creates one of a kind, if another one removes them. */
export const makers = /** @type {Record<string, string>} */ ({
  member: 'v2 listMembers',
  list: 'v2 createList',
  dynamicList: 'v2 createDynamicList',
  colleague: 'v2 listOrganizationMembers',
  organization: 'v2 createOrganization',
  contact: 'v2 listContacts',
  user: 'v2 createUser',
  email: 'v2 createEmail',
  folder: 'v2 createFolder',
  topic: 'v2 createTopic',
  token: 'admin createToken',
  domain: 'admin addSendingDomain',
  ownDomain: 'v2 addWorkspaceDomain',
  ownHook: 'v2 createWorkspaceHook',
  invitation: 'v2 createInvitation',
  personalToken: 'v2 createPersonalToken',
  hook: 'admin createMailHook',
  transport: 'admin setTransport',
  version: 'v2 storeVersion',
  kept: 'v2 listOutbox',
  message: 'v2 sendMessage',
  queued: 'v2 sendMessage',
  suppression: 'v2 suppressAddress',
  userByEmail: 'v2 createUser',
  tenant: 'admin createTenant',
  idleJourney: 'v2 createJourney',
  activeJourney: 'v2 activateJourney',
  pausedJourney: 'v2 pauseJourney',
  webhook: 'v2 createWebhook',
});

/** @param {Operation} operation */
export function kindOf({ path, id }) {
  if (id === 'deleteVersion') return 'version';
  // The address need not belong to a contact, but one that does tests more.
  if (id === 'suppressAddress') return 'contactByEmail';
  // Changing an active one is refused, or needs more than the example has.
  if (id === 'deleteJourney' || id === 'updateJourney') return 'idleJourney';
  if (id === 'revokePersonalToken') return 'personalToken';
  if (id === 'getTransport' || id === 'removeTransport') return 'transport';
  return kinds.find(([pattern]) => pattern.test(path))?.[1];
}

const changers = /^(cancelMessage|(activate|deactivate|pause|resume)Journey|takeOutEnrolment|skipEnrolmentWait)$/;

/**
 * Whether its subject is gone afterwards, or of another kind.
 * @param {Operation} operation
 */
export function takesAway({ method, id }) {
  return method === 'DELETE' || changers.test(id);
}

export class Stock {
  /** @type {Map<string, Thing[]>} */
  things = new Map();

  /**
   * @param {string} kind
   * @param {Thing} thing
   */
  add(kind, thing) {
    const own = this.things.get(kind) ?? [];
    this.things.set(kind, own);
    // Once: something that is removed must not be used again.
    const text = JSON.stringify(thing);
    if (own.some((other) => JSON.stringify(other) === text)) return;
    own.push(thing);
    if (own.length > most) own.shift();
  }

  /** @param {string} kind */
  isShort(kind) {
    return (this.things.get(kind)?.length ?? 0) < few;
  }

  /**
   * @param {string} kind
   * @param {Random} random
   * @returns {Thing}
   */
  find(kind, random) {
    return random.pick(this.things.get(kind) ?? [{}]) ?? {};
  }

  /**
   * One that no other request will use, because it is about to be deleted.
   * @param {string} kind
   * @param {Random} random
   * @returns {Thing}
   */
  take(kind, random) {
    const own = this.things.get(kind) ?? [];
    const thing = own.splice(random.whole(own.length), 1)[0] ?? {};
    if (wholes.includes(kind)) this.forgetPartsOf(thing);
    return thing;
  }

  /**
   * What belongs to a removed thing: the members of a list, everything about a contact.
   * @param {Thing} thing
   */
  forgetPartsOf(thing) {
    const name = thing.id ?? Object.values(thing)[0];
    for (const [kind, own] of this.things)
      this.things.set(
        kind,
        own.filter((other) => !Object.values(other).includes(name ?? '')),
      );
  }

  /**
   * Notes what exists according to a response.
   * @param {Operation} operation
   * @param {Thing} at The names of its path.
   * @param {any} body What was sent.
   * @param {any} data What was answered.
   */
  learn({ id }, at, body, data) {
    const rows = Array.isArray(data) ? data.slice(0, 20) : [data ?? {}];
    for (const row of rows) for (const [kind, thing] of learned(id, at, body, row)) this.add(kind, thing);
  }
}

/**
 * @param {string} id
 * @param {Thing} at
 * @param {any} body
 * @param {any} row
 * @returns {[string, Thing][]}
 */
function learned(id, at, body, row) {
  switch (id) {
    case 'listContacts':
      return ['contact', 'contactByEmail'].map((kind) => [kind, { id: row.id, email: row.email }]);
    case 'createContact':
    case 'batchContacts':
    case 'updateContact':
      return [['contactWrite', { transactionId: row.transactionId }]];
    case 'importContacts':
      return ['contactWrite', 'import'].map((kind) => [kind, { transactionId: row.transactionId }]);
    case 'createUser':
      return [
        ['userWrite', { transactionId: row.transactionId }],
        ['user', { userId: body?.userId }],
        ['userByEmail', { email: body?.email }],
      ];
    case 'createEvents':
      return [['eventWrite', { transactionId: row.transactionId }]];
    case 'createOrganization':
    case 'listOrganizations':
      return [['organization', { orgId: row.orgId }]];
    case 'listOrganizationMembers':
      return [['colleague', { orgId: at.orgId ?? '', userId: row.userId }]];
    case 'createList':
    case 'listLists':
      return row.staticListId ? [['list', { id: row.staticListId }]] : [];
    case 'createDynamicList':
    case 'listDynamicLists':
      return [['dynamicList', { id: row.dynamicListId }]];
    case 'listMembers':
      return [['member', { id: at.id ?? '', contactId: row.contactId }]];
    case 'createEmail':
    case 'listEmails':
      return [
        ['email', { id: row.emailId }],
        ['revision', { id: row.emailId, revision: '1' }],
      ];
    case 'listEventNames':
      return [['eventName', { eventName: row.eventName }]];
    case 'listPeople':
      return row.isYou ? [] : [['person', { accountId: String(row.accountId) }]];
    case 'createInvitation':
      return [['invitation', { invitationId: String(row.invitationId) }]];
    case 'createPersonalToken':
      return [['personalToken', { tokenId: String(row.tokenId) }]];
    case 'createWorkspaceHook':
      return [['ownHook', { hookId: row.hookId }]];
    case 'addWorkspaceDomain':
      return [['ownDomain', { domain: row.domain }]];
    case 'createTopic':
    case 'listTopics':
      return [['topic', { topicId: row.topicId }]];
    case 'listContactTopics':
      return [['contactTopic', { id: at.id ?? '', topicId: row.topicId }]];
    case 'createFolder':
    case 'listFolders':
      return [['folder', { id: row.directoryId }]];
    case 'listOutbox':
      return [['kept', { messageId: row.messageId }]];
    case 'sendMessage':
      return [
        ['message', { messageId: row.messageId }],
        ...(body?.sendAt ? [/** @type {[string, Thing]} */ (['queued', { messageId: row.messageId }])] : []),
      ];
    case 'suppressAddress':
      return [['suppression', { email: row.email }]];
    case 'storeVersion':
      return [['version', { assetId: body?.assetId, email: body?.email }]];
    case 'createJourney':
    case 'deactivateJourney':
      return [
        ['journey', { id: row.journeyId }],
        ['idleJourney', { id: row.journeyId }],
      ];
    case 'activateJourney':
    case 'resumeJourney':
      return [
        ['journey', { id: row.journeyId }],
        ['activeJourney', { id: row.journeyId }],
      ];
    case 'pauseJourney':
      return [['pausedJourney', { id: row.journeyId }]];
    case 'listEnrolments':
      return [['enrolment', { id: at.id ?? '', enrolmentId: row.enrolmentId }]];
    case 'createWebhook':
    case 'listWebhooks':
      return [['webhook', { id: row.webhookId }]];
    case 'createTenant':
    case 'listTenants':
      return [['tenant', { tenantId: String(row.tenantId) }]];
    case 'createToken':
      return [['token', { tenantId: at.tenantId ?? '', tokenId: String(row.tokenId) }]];
    case 'addSendingDomain':
      return [['domain', { tenantId: at.tenantId ?? '', domain: row.domain }]];
    case 'createMailHook':
      return [['hook', { tenantId: at.tenantId ?? '', hookId: row.hookId }]];
    case 'setTransport':
      return [['transport', { tenantId: at.tenantId ?? '' }]];
    default:
      return [];
  }
}
