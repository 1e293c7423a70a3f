// What the search offers: the kinds of what it finds, and what it can do.
export const kinds = {
  action: 'Action',
  page: 'Page',
  contact: 'Contact',
  email: 'Email',
  journey: 'Journey',
  list: 'List',
  why: 'Why?',
};

/** Each with other words that people may type for it. */
export const actions = {
  newSend: ['New send', 'broadcast newsletter campaign blast'],
  newJourney: ['New journey', 'create workflow automation flow'],
  newEmail: ['New email', 'create template design'],
  newList: ['New dynamic list', 'create audience segment'],
  newStaticList: ['New static list', 'create'],
  newContact: ['New contact', 'create add'],
  newOrganization: ['New organization', 'create add company'],
  importContacts: ['Import contacts', 'upload csv file'],
  newForm: ['New form', 'create signup'],
  newTopic: ['New topic', 'create preference subscription'],
  suppress: ['Suppress an address', 'block unsubscribe'],
  newWebhook: ['New webhook', 'create'],
  invite: ['Invite someone', 'add colleague user member team'],
  newToken: ['New token', 'create api key'],
  addDomain: ['Add a sending domain', 'dkim spf dns'],
  addSso: ['Set up single sign-on', 'sso oidc okta identity provider'],
  account: ['Your account', 'profile password two-factor second factor sessions sign'],
  reference: ['API reference', 'docs documentation'],
  shortcuts: ['Keyboard shortcuts', 'keys help'],
  signOut: ['Sign out', 'log out logout'],
} as const satisfies Record<string, readonly [title: string, words: string]>;
