// What the fuzzer knows to exist, from earlier responses: without it, every request would end at "not found".
import { wholes } from './kinds.js';

/** @typedef {import('./random.js').Random} Random */
/** @typedef {import('./operations.js').Operation} Operation */
/** @typedef {Record<string, string>} Thing Values for the names in a path or a query. */

const most = 300;
// If there are fewer than this, one is created instead of deleted.
const few = 8;

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
      // What a broadcast made for itself changes only with it.
      return /^Audience of /.test(row.name) ? [] : [['dynamicList', { id: row.dynamicListId }]];
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
      return row.state === 'active'
        ? [['enrolment', { id: at.id ?? '', enrolmentId: row.enrolmentId, contactId: row.contactId }]]
        : [];
    case 'createWebhook':
    case 'listWebhooks':
      return [['webhook', { id: row.webhookId }]];
    case 'createBlock':
    case 'listBlocks':
      return [['block', { blockId: row.blockId }]];
    case 'createFile':
    case 'listFiles':
      return [['file', { fileId: row.fileId }]];
    case 'createForm':
    case 'listForms':
      return [['form', { formId: row.formId }]];
    case 'createBroadcast':
    case 'listBroadcasts':
    case 'sendBroadcast':
    case 'pauseBroadcast':
    case 'resumeBroadcast':
    case 'cancelBroadcast':
      return kindsOfBroadcast(row);
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

/**
 * @param {any} row
 * @returns {[string, Thing][]}
 */
function kindsOfBroadcast({ broadcastId: id, status, emailId, audience, abTest }) {
  const listId = audience?.staticListId ?? audience?.dynamicListId;
  const parts = { id, emailId, otherId: abTest?.emailId, listId };
  const own = /** @type {Record<string, string>} */ ({
    scheduled: 'liveBroadcast',
    sending: 'liveBroadcast',
    paused: 'pausedBroadcast',
  });
  return [
    ['broadcast', { id }],
    [own[status] ?? 'idleBroadcast', { id }],
    // It cannot be sent without its emails and its list.
    ...(status === 'draft' ? [/** @type {[string, Thing]} */ (['draftBroadcast', parts])] : []),
  ];
}
