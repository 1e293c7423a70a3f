// How mail is sent: domains, the mail server, and the addresses that providers report to.
import type { RecordPurpose, RecordState, sendingWarningCodes, TransportSecurity } from '@rapport/contract';
import { counted } from './numbers.ts';

export const domains = {
  about: 'The domains you send email from. Publish their DNS records, then check them.',
  add: 'Add a domain',
  domain: 'Domain',
  domainHint: 'example.com',
  domainNote: 'The part after @ in your sender addresses.',
  enterDomain: 'Enter a domain, such as example.com.',
  added: (domain: string) => `${domain} was added. Now publish its DNS records.`,
  verified: 'Verified',
  unverified: 'Not verified',
  check: 'Check',
  allFound: 'All records found. Email from this domain is signed and verified.',
  nothingChecked: 'Publish these records with your DNS provider, then check. Changes can take an hour to show.',
  problems: (count: number) =>
    `${counted(count, 'record')} ${count === 1 ? 'needs' : 'need'} attention. See the details below.`,
  checked: (domain: string, isVerified: boolean) =>
    isVerified ? `${domain} is verified.` : `${domain} is not verified yet. See the details below.`,
  purposes: {
    dkim: 'Signature (DKIM)',
    spf: 'Allowed senders (SPF)',
    dmarc: 'Forgery policy (DMARC)',
    'return-path': 'Bounces (return path)',
    tracking: 'Link and open tracking',
  } satisfies Record<RecordPurpose, string>,
  states: { unknown: 'Not checked', missing: 'Missing', wrong: 'Wrong', found: 'Found' } satisfies Record<
    RecordState,
    string
  >,
  record: 'Record',
  recordsOf: (domain: string) => `DNS records for ${domain}`,
  copyAll: 'Copy all records',
  share: 'Send to your DNS admin',
  shareTitle: (domain: string) => `Share the records for ${domain}`,
  shareText:
    'Make a link for the person who manages your DNS. It shows only these records, needs no sign-in, and expires after 30 days.',
  link: 'Link',
  copyLink: 'Copy link',
  mailLink: 'Write an email',
  linkOnce: (until: string) => `It works until ${until}. Copy it now: you won’t see it again.`,
  hasLink: (until: string) => `A link is active until ${until}. A new one replaces it.`,
  makeLink: 'Make a link',
  endLink: 'End the link',
  linkEnded: 'The link has ended.',
  closeShare: 'Close',
  letter: (domain: string, url: string) => ({
    subject: `DNS records for ${domain}`,
    body: `Please publish the DNS records on this page, so that our email from ${domain} arrives:\n\n${url}\n`,
  }),
  type: 'Type',
  name: 'Name',
  value: 'Value',
  copyName: (purpose: string) => `Copy name: ${purpose}`,
  copyValue: (purpose: string) => `Copy value: ${purpose}`,
  showAll: 'Show all',
  showLess: 'Show less',
  show: 'Show records',
  hide: 'Hide records',
  remove: 'Remove',
  removeTitle: (domain: string) => `Remove ${domain}?`,
  removeText: 'You can no longer send from it, and its key is deleted. Adding it again needs a new DKIM record.',
  removed: (domain: string) => `${domain} was removed.`,
  none: 'No sending domains yet',
  noneText: 'Add the domain of your sender addresses and publish its DNS records.',
};

/** What prevents email from arriving. */
export const setup = {
  warnings: {
    noMailServer: () => 'No mail server is set up: emails are kept in the outbox and reach no one.',
    localBaseUrl: () =>
      'The service does not know its public address: set BASE_URL. Until then, links in emails, including unsubscribe links, work only on this machine, and some DNS records are placeholders that must not be published.',
    unverifiedDomain: (domain: string) =>
      `${domain} is not verified: mailboxes may reject its email or treat it as spam.`,
  } satisfies Record<(typeof sendingWarningCodes)[number], (domain: string) => string>,
};

export const transport = {
  about: 'Send email through the shared mail server or your own.',
  own: 'Workspace mail server',
  ofInstallation: 'This workspace uses the shared mail server.',
  ofNobody:
    'No mail server is set up: emails are kept in the outbox and reach no one. Use your own mail server, or ask the operator of this installation to set SMTP_URL.',
  host: 'Host',
  hostHint: 'smtp.example.com',
  enterHost: 'Enter the mail server’s host name, such as smtp.example.com.',
  port: 'Port',
  security: 'Encryption',
  securities: {
    starttls: 'STARTTLS, required (usually port 587)',
    tls: 'TLS from the start (usually port 465)',
    auto: 'STARTTLS if the server offers it',
    none: 'None: anyone on the network can read it',
  } satisfies Record<TransportSecurity, string>,
  user: 'User',
  noUser: 'No sign-in',
  enterUser: 'Enter the user that the password belongs to.',
  password: 'Password',
  passwordKept: 'Unchanged',
  enterPassword: 'Enter the password, or leave the user empty if the server needs none.',
  enterPasswordAgain: 'Enter the password again, because host or user changed.',
  test: 'Test',
  testFrom: 'Test sender',
  testFromHint: 'test@ your domain',
  testTo: 'Test recipient',
  testToHint: 'You',
  runTest: 'Send a test email',
  works: 'It works',
  fails: 'It doesn’t work yet',
  serverSaid: 'The server said:',
  rate: 'Messages per second',
  rateNote: 'Leave empty for no limit.',
  connections: 'Concurrent connections',
  connectionsNote: 'Leave empty for the default.',
  unlimited: 'Unlimited',
  changed: 'Updated',
  set: 'Use your own mail server',
  change: 'Edit',
  save: 'Save',
  saved: 'Saved. Email now goes through this server.',
  remove: 'Remove',
  removeTitle: 'Remove the mail server?',
  removeText:
    'Email will go through the shared mail server, or stay in the outbox if there is none. Host and password are deleted.',
  removed: 'Removed.',
};

export const hooks = {
  about: 'URLs where your mail provider reports deliveries, bounces and complaints.',
  list: 'Mail hooks',
  add: 'New mail hook',
  provider: 'Provider',
  key: 'Key',
  enterKey: 'Enter your mail provider’s key.',
  created: 'Created',
  made: 'Mail hook created',
  url: 'URL for your mail provider',
  urlNote: 'Add it at your mail provider. It contains a secret, so copy it now: you won’t see it again.',
  remove: 'Remove',
  removeTitle: 'Remove this mail hook?',
  removeText: (provider: string) => `Reports from ${provider} to this URL will be rejected.`,
  removed: 'The mail hook was removed.',
  none: 'No mail hooks yet',
  noneText: 'Add one so your mail provider can report deliveries, bounces and complaints.',
};
