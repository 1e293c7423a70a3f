// How mail leaves: domains, the mail server, and the addresses that providers report to.
import type { Provider, RecordPurpose, RecordState } from '@rapport/contract';
import { counted } from '../shared/numbers.ts';

export const domains = {
  about: 'Mail leaves from these domains. Publish the records of each in DNS, then check it.',
  add: 'Add a domain',
  domain: 'Domain',
  domainHint: 'example.com',
  domainNote: 'What stands after the @ in the addresses you send from.',
  enterDomain: 'Enter a domain, such as example.com',
  added: (domain: string) => `${domain} was added. Publish its records now.`,
  verified: 'Verified',
  unverified: 'Not verified',
  check: 'Check',
  allFound: 'All records are there: mail of this domain is signed, and receivers can tell that it is yours.',
  nothingChecked:
    'Publish these records where the DNS of the domain is kept, then check. It may take an hour until they are seen.',
  problems: (count: number) =>
    `${counted(count, 'record')} ${count === 1 ? 'needs' : 'need'} a look: what is wrong stands beside each.`,
  checked: (domain: string, isVerified: boolean) =>
    isVerified ? `${domain} is verified.` : `${domain} is not verified yet: see what is missing.`,
  purposes: {
    dkim: 'Signature (DKIM)',
    spf: 'Who may send (SPF)',
    dmarc: 'What to do with forgeries (DMARC)',
    'return-path': 'Where bounces go',
    tracking: 'Links and opens',
  } satisfies Record<RecordPurpose, string>,
  states: { unknown: 'Not checked', missing: 'Missing', wrong: 'Wrong', found: 'Found' } satisfies Record<
    RecordState,
    string
  >,
  type: 'Type',
  name: 'Name',
  value: 'Value',
  copyName: (purpose: string) => `Copy the name: ${purpose}`,
  copyValue: (purpose: string) => `Copy the value: ${purpose}`,
  show: 'Show the records',
  hide: 'Hide the records',
  remove: 'Remove',
  removeTitle: (domain: string) => `Remove ${domain}?`,
  removeText: 'No mail leaves from it any more, and its key is deleted: adding it again means another DKIM record.',
  removed: (domain: string) => `${domain} was removed.`,
  none: 'No sending domain yet',
  noneText: 'Add the domain of the addresses you send from, and publish the records that are shown.',
  pages: 'Pages of domains',
};

export const transport = {
  about: 'Mail leaves over the mail server of the installation, or over one of your own.',
  own: 'Mail server of the workspace',
  ofInstallation: 'The workspace has no mail server of its own: mail leaves over that of the installation.',
  url: 'Address',
  urlHint: 'smtp://user:password@smtp.example.com:587',
  urlNote: 'smtp:// or smtps://, with user and password. It is encrypted, and the password is never shown again.',
  enterUrl: 'Enter the address of the mail server, beginning with smtp:// or smtps://',
  rate: 'Messages a second',
  rateNote: 'Empty: as fast as the server takes them.',
  connections: 'Connections at once',
  connectionsNote: 'Empty: as many as the installation uses.',
  unlimited: 'Not limited',
  changed: 'Changed',
  set: 'Use a server of your own',
  change: 'Change',
  changeNote: 'Write the whole address anew, with the password: the one that is kept is not shown.',
  save: 'Save',
  saved: 'Mail leaves over this server from now on.',
  remove: 'Remove',
  removeTitle: 'Remove the mail server?',
  removeText: 'Mail leaves over that of the installation again. Its address and password are deleted here.',
  removed: 'Mail leaves over the server of the installation again.',
};

export const hooks = {
  about: 'Addresses that your mail provider reports to: what was delivered, bounced or complained about.',
  list: 'Mail hooks',
  add: 'New mail hook',
  provider: 'Provider',
  providers: {
    postmark: 'Postmark',
    ses: 'Amazon SES',
    sendgrid: 'SendGrid',
    mailgun: 'Mailgun',
    generic: 'Another one',
  } satisfies Record<Provider, string>,
  key: 'Key',
  keyLabels: {
    sendgrid: 'Verification key of the signed event webhook',
    mailgun: 'HTTP webhook signing key',
    ses: 'ARN of the SNS topic',
  },
  keyNotes: {
    sendgrid: 'SendGrid shows it beside its event webhook.',
    mailgun: 'Mailgun shows it under its webhooks.',
    ses: 'Only that topic may report then. Empty: any.',
  },
  enterKey: 'Enter the key that the provider shows',
  created: 'Created',
  made: 'The address is there',
  url: 'Address for the provider',
  urlNote: 'Enter it at your provider. It holds a secret: copy it now, it is never shown again.',
  remove: 'Remove',
  removeTitle: 'Remove this hook?',
  removeText: (provider: string) => `What ${provider} reports there is refused from then on.`,
  removed: 'The hook was removed.',
  none: 'No mail hooks yet',
  noneText: 'With one, Rapport learns of deliveries, bounces and complaints from your provider.',
};
