// Administration of sending: a tenant's domains and what to publish for them, and the addresses that mail providers report
// to. Bearer: ADMIN_TOKEN.
import { Type } from 'typebox';
import { mailProviders, providerNames } from './grammar/providers.js';
import { getTransport, removeTransport, setTransport } from './mail-servers.js';
import { paging } from './params.js';
import { adminRoute } from './route.js';
import { AssetId, Instant, Named, Nullable, Words } from './schema.js';

const recordPurposes = ['dkim', 'spf', 'dmarc', 'return-path', 'tracking'] as const;
export type RecordPurpose = (typeof recordPurposes)[number];
export const recordStates = ['unknown', 'missing', 'wrong', 'found'] as const;
export type RecordState = (typeof recordStates)[number];
const recordTypes = ['TXT', 'CNAME', 'A', 'AAAA'] as const;
export type RecordType = (typeof recordTypes)[number];

export const DomainRecord = Named('DomainRecord', {
  purpose: Words(recordPurposes),
  type: Words(recordTypes),
  name: Type.String({ description: 'The whole name, without a dot at its end.' }),
  value: Type.String(),
  state: Words(
    recordStates,
    'What the last check found. `unknown`: not looked up yet, or DNS did not answer. `wrong`: something else is there.',
  ),
  detail: Type.String({ description: 'For people: what is missing or wrong, and what to publish.' }),
});
export const SendingDomain = Named('SendingDomain', {
  domain: Type.String(),
  status: Words(
    ['unverified', 'verified'],
    '`verified` once a check has found the DKIM record and one of SPF and the return path.',
  ),
  records: Type.Array(DomainRecord, { description: 'What to publish in DNS.' }),
  sharedUntil: Nullable(Instant, 'Until then a link shows its records without a sign-in. Null: there is none.'),
});
const hookFields = { hookId: AssetId(), provider: Words(providerNames), createdAt: Instant };
export const MailHook = Named('MailHook', hookFields);
export const NewMailHook = Named('NewMailHook', {
  ...hookFields,
  url: Type.String({
    description: 'The address that the provider posts to. It contains a secret and is shown only once.',
  }),
});

export const DomainBody = Type.Object({
  domain: Type.String({
    trim: true,
    lowerCase: true,
    maxLength: 253,
    pattern: '^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
    description: 'Domain name, such as example.com; internationalized ones in their xn-- form.',
  }),
});
const keys = providerNames.flatMap((name) => {
  const { key } = mailProviders[name];
  return key ? `\`${name}\`: ${key.what}.` : [];
});
export const MailHookBody = Type.Object({
  provider: Words(providerNames),
  key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4000,
      trim: true,
      description: `What the provider's signature is checked with. ${keys.join(' ')} Others have none.`,
    }),
  ),
});

const publicKey = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA…';
const unseen = 'Not looked up yet. Publish the record, then check the domain.';
const records = [
  ['dkim', 'TXT', 'rapport-9f2c41d7._domainkey.example.com', `v=DKIM1; k=rsa; p=${publicKey}`],
  ['spf', 'TXT', 'example.com', 'v=spf1 include:mail.rapport.example ~all'],
  ['dmarc', 'TXT', '_dmarc.example.com', 'v=DMARC1; p=none'],
  ['return-path', 'CNAME', 'bounces.example.com', 'mail.rapport.example'],
  ['tracking', 'CNAME', 'links.example.com', 'rapport.example'],
].map(([purpose, type, name, value]) => ({ purpose, type, name, value, state: 'unknown', detail: unseen }));
const domain = { domain: 'example.com', status: 'unverified', records, sharedUntil: null };
const checked = {
  ...domain,
  status: 'verified',
  records: records.map((record) => ({ ...record, state: 'found', detail: 'As it should be.' })),
};
const hook = { hookId: '65f1c0ffee0123456789abcd', provider: 'postmark', createdAt: '2026-11-15T09:30:00.000Z' };
const ofTenant = { tenantId: 'Tenant number.' };
const path = { tenantId: '1' };
const tag = 'Administration';

const domains = '/admin/tenants/{tenantId}/sending-domains';
const ofDomain = { ...ofTenant, domain: 'Domain name.' };

export const addSendingDomain = adminRoute({
  id: 'addSendingDomain',
  tag,
  method: 'POST',
  path: domains,
  summary: 'Approve a sending domain',
  description:
    'Makes a DKIM key of 2048 bits and returns what to publish in DNS. From then on mail from the domain is signed. Approving it again changes nothing.',
  pathParams: ofTenant,
  body: DomainBody,
  data: SendingDomain,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, body: { domain: 'example.com' }, data: domain },
});
export const listSendingDomains = adminRoute({
  id: 'listSendingDomains',
  tag,
  method: 'GET',
  path: domains,
  summary: 'List approved sending domains',
  description:
    'By name, with the result of the last check. A domain from an older version gets its DKIM key soon after the start.',
  pathParams: ofTenant,
  query: paging,
  data: SendingDomain,
  paged: true,
  errors: ['NOT_FOUND'],
  example: { path, data: [domain] },
});
export const checkSendingDomain = adminRoute({
  id: 'checkSendingDomain',
  tag,
  method: 'POST',
  path: `${domains}/{domain}/check`,
  summary: 'Look up the records of a sending domain',
  description:
    'Takes some seconds at most. If DNS does not answer, a record is `unknown` and the status stays as it was.',
  pathParams: ofDomain,
  data: SendingDomain,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { ...path, domain: 'example.com' }, data: checked },
});
export const removeSendingDomain = adminRoute({
  id: 'removeSendingDomain',
  tag,
  method: 'DELETE',
  path: `${domains}/{domain}`,
  summary: 'Withdraw a sending domain',
  description: 'Its DKIM key is deleted; approving the domain again makes another.',
  pathParams: ofDomain,
  data: Type.Object({ domain: Type.String(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { ...path, domain: 'example.com' }, data: { domain: 'example.com', success: true } },
});

const hooks = '/admin/tenants/{tenantId}/mail-hooks';

export const createMailHook = adminRoute({
  id: 'createMailHook',
  tag,
  method: 'POST',
  path: hooks,
  summary: 'Make an address that a mail provider reports to',
  description:
    'What was delivered, bounced or complained about. The answer is the only place where the address is ever shown.',
  pathParams: ofTenant,
  body: MailHookBody,
  data: NewMailHook,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path,
    body: { provider: 'postmark' },
    data: { ...hook, url: 'https://rapport.example/hooks/mail/1.q3Zt0yVh0m2cYw1rJ8Xk5bN7sD4fG6hLpA9uE1iO2xT' },
  },
});
export const listMailHooks = adminRoute({
  id: 'listMailHooks',
  tag,
  method: 'GET',
  path: hooks,
  summary: 'List the addresses that mail providers report to',
  description: 'Newest first, without the addresses themselves.',
  pathParams: ofTenant,
  query: paging,
  data: MailHook,
  paged: true,
  errors: ['NOT_FOUND'],
  example: { path, data: [hook] },
});
export const removeMailHook = adminRoute({
  id: 'removeMailHook',
  tag,
  method: 'DELETE',
  path: `${hooks}/{hookId}`,
  summary: 'Remove an address that a mail provider reports to',
  pathParams: { ...ofTenant, hookId: 'Hook id.' },
  data: Type.Object({ hookId: AssetId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { ...path, hookId: hook.hookId }, data: { hookId: hook.hookId, success: true } },
});

export const sendingRoutes = [
  addSendingDomain,
  listSendingDomains,
  checkSendingDomain,
  removeSendingDomain,
  setTransport,
  getTransport,
  removeTransport,
  createMailHook,
  listMailHooks,
  removeMailHook,
] as const;
