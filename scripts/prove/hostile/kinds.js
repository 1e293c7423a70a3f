// What the operations are about: the kinds of things, what makes them and what takes them away.
/** @typedef {import('./operations.js').Operation} Operation */

// Deleting a thing also removes what belongs to it.
export const wholes = [
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
  'draftBroadcast',
  'idleBroadcast',
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
  [/\/journeys\/\{id\}\/enrolments/, 'activeJourney'],
  [/\/journeys\/\{id\}\/(deactivate|pause|enroll)/, 'activeJourney'],
  [/\/journeys\/\{id\}\/resume/, 'pausedJourney'],
  [/\/journeys\/\{id\}\/activate/, 'idleJourney'],
  [/\/journeys\/\{id\}/, 'journey'],
  [/\/webhooks\/\{id\}/, 'webhook'],
  [/\/broadcasts\/\{id\}\/send/, 'draftBroadcast'],
  [/\/broadcasts\/\{id\}\/(pause|cancel)/, 'liveBroadcast'],
  [/\/broadcasts\/\{id\}\/resume/, 'pausedBroadcast'],
  [/\/broadcasts\/\{id\}/, 'broadcast'],
  [/\/blocks\/\{blockId\}/, 'block'],
  [/\/files\/\{fileId\}/, 'file'],
  [/\/forms\/\{formId\}/, 'form'],
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
  enrolment: 'v2 listEnrolments',
  webhook: 'v2 createWebhook',
  draftBroadcast: 'v2 createBroadcast',
  idleBroadcast: 'v2 createBroadcast',
  liveBroadcast: 'v2 sendBroadcast',
  pausedBroadcast: 'v2 pauseBroadcast',
  block: 'v2 createBlock',
  file: 'v2 createFile',
  form: 'v2 createForm',
});

/** @param {Operation} operation */
export function kindOf({ path, id }) {
  if (id === 'deleteVersion') return 'version';
  // The address need not belong to a contact, but one that does tests more.
  if (id === 'suppressAddress') return 'contactByEmail';
  // Changing an active one is refused, or needs more than the example has.
  if (id === 'deleteJourney' || id === 'updateJourney') return 'idleJourney';
  if (id === 'deleteBroadcast' || id === 'updateBroadcast') return 'idleBroadcast';
  if (id === 'revokePersonalToken') return 'personalToken';
  if (id === 'getTransport' || id === 'removeTransport') return 'transport';
  return kinds.find(([pattern]) => pattern.test(path))?.[1];
}

const changers =
  /^(cancelMessage|(activate|deactivate|pause|resume)Journey|(send|pause|resume|cancel)Broadcast|takeOutEnrolment|skipEnrolmentWait)$/;

/**
 * Whether its subject is gone afterwards, or of another kind.
 * @param {Operation} operation
 */
export function takesAway({ method, id }) {
  return method === 'DELETE' || changers.test(id);
}
