// What an admin of a workspace manages: its name and time zone, and how its mail leaves. The same as for operators under /admin.
import { Type } from 'typebox';
import * as servers from './mail-servers.js';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, Named, Nullable, Success, Text } from './schema.js';
import * as sending from './sending.js';
import { TimeZone } from './tenants.js';

export const Workspace = Named('Workspace', {
  tenantId: Type.Integer(),
  name: Type.String(),
  timeZone: Nullable(Type.String({ description: 'Its default time zone. Unset: UTC.' })),
  rateLimit: Type.Integer({ description: 'Requests a second, all tokens together. The operator sets it.' }),
  ssoCallbackUrl: Type.String({
    description: 'To be registered with an identity provider as a redirect URI, before it is set up here.',
  }),
  sendingDomains: Type.Array(sending.SendingDomain, {
    description: 'By name, the first 100. All of them are under `/workspace/sending-domains`.',
  }),
});
const workspace = {
  ...{ tenantId: 1, name: 'Acme', timeZone: 'Europe/Berlin', rateLimit: 1000 },
  ssoCallbackUrl: 'https://rapport.example.com/oauth/sso/1/callback',
  sendingDomains: [sending.addSendingDomain.example.data],
};
const tag = 'Workspace';
const versions = onlyV2;

export const getWorkspace = route({
  id: 'getWorkspace',
  tag,
  versions,
  method: 'GET',
  path: '/workspace',
  summary: 'Read the settings of the workspace',
  data: Workspace,
  paged: false,
  errors: [],
  example: { data: workspace },
});
export const updateWorkspace = route({
  id: 'updateWorkspace',
  tag,
  versions,
  method: 'PATCH',
  path: '/workspace',
  adminOnly: true,
  summary: 'Rename the workspace or set its time zone',
  description: 'Journeys and sending follow the time zone from then on.',
  body: Type.Partial(Type.Object({ name: Text(255), timeZone: Nullable(TimeZone) })),
  data: Workspace,
  paged: false,
  errors: [],
  example: { body: { timeZone: 'Europe/Berlin' }, data: workspace },
});

const domains = '/workspace/sending-domains';
const ofDomain = { domain: 'Domain name.' };

export const listWorkspaceDomains = route({
  id: 'listWorkspaceDomains',
  tag,
  versions,
  method: 'GET',
  path: domains,
  summary: 'List the sending domains of the workspace',
  description: 'By name, with what to publish in DNS and the result of the last check.',
  query: paging,
  data: sending.SendingDomain,
  paged: true,
  errors: [],
  example: { data: sending.listSendingDomains.example.data },
});
export const addWorkspaceDomain = route({
  id: 'addWorkspaceDomain',
  tag,
  versions,
  method: 'POST',
  path: domains,
  adminOnly: true,
  summary: 'Add a sending domain',
  description: `${sending.addSendingDomain.description} A workspace adds 100 at most.`,
  body: sending.DomainBody,
  data: sending.SendingDomain,
  paged: false,
  errors: ['INVALID_STATE'],
  example: { body: sending.addSendingDomain.example.body, data: sending.addSendingDomain.example.data },
});
export const checkWorkspaceDomain = route({
  id: 'checkWorkspaceDomain',
  tag,
  versions,
  method: 'POST',
  path: `${domains}/{domain}/check`,
  adminOnly: true,
  summary: 'Look up the records of a sending domain of the workspace',
  description: sending.checkSendingDomain.description,
  pathParams: ofDomain,
  data: sending.SendingDomain,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { domain: 'example.com' }, data: sending.checkSendingDomain.example.data },
});
export const removeWorkspaceDomain = route({
  id: 'removeWorkspaceDomain',
  tag,
  versions,
  method: 'DELETE',
  path: `${domains}/{domain}`,
  adminOnly: true,
  summary: 'Remove a sending domain',
  description: sending.removeSendingDomain.description,
  pathParams: ofDomain,
  data: Type.Object({ domain: Type.String(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { domain: 'example.com' }, data: sending.removeSendingDomain.example.data },
});

const transport = '/workspace/transport';

export const getWorkspaceTransport = route({
  id: 'getWorkspaceTransport',
  tag,
  versions,
  method: 'GET',
  path: transport,
  adminOnly: true,
  summary: 'Read the mail server of the workspace',
  description: '404 if the workspace has none of its own and uses that of the installation.',
  data: servers.MailTransport,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { data: servers.getTransport.example.data },
});
export const setWorkspaceTransport = route({
  id: 'setWorkspaceTransport',
  tag,
  versions,
  method: 'PUT',
  path: transport,
  adminOnly: true,
  summary: 'Send over a mail server of the workspace',
  description:
    'Instead of that of the installation: its host with port and sign-in, or all of that as one address. It is encrypted at rest, and its password is never shown again. A server that is not on the public internet is refused, unless the operator allows it.',
  body: servers.TransportBody,
  data: servers.MailTransport,
  paged: false,
  errors: [],
  example: { body: servers.setTransport.example.body, data: servers.setTransport.example.data },
});
export const testWorkspaceTransport = route({
  id: 'testWorkspaceTransport',
  tag,
  versions,
  method: 'POST',
  path: `${transport}/test`,
  adminOnly: true,
  summary: 'Try a mail server',
  description:
    'Looks the server up, connects, signs in and sends a short mail, and says what failed, within 20 seconds. Tries the fields of the body without storing them, or the mail server of the workspace if neither `host` nor `smtpUrl` is given. Without a sending domain or a recipient it ends after the sign-in.',
  body: servers.TransportTestBody,
  data: servers.MailServerTest,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: {
    body: { host: 'smtp.example.com', port: 587, security: 'starttls', user: 'mailer', password: 'wrong' },
    data: {
      ok: false,
      problem: 'signIn',
      message:
        'smtp.example.com refused the sign-in. Check user and password; some providers want a password made for apps, or an API key.',
      reply: '535 5.7.8 Authentication failed',
      isEncrypted: true,
      from: 'test@example.com',
      to: 'ada@example.com',
    },
  },
});
export const removeWorkspaceTransport = route({
  id: 'removeWorkspaceTransport',
  tag,
  versions,
  method: 'DELETE',
  path: transport,
  adminOnly: true,
  summary: 'Send over the mail server of the installation again',
  data: Success,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { data: { success: true } },
});

const hooks = '/workspace/mail-hooks';

export const listWorkspaceHooks = route({
  id: 'listWorkspaceHooks',
  tag,
  versions,
  method: 'GET',
  path: hooks,
  adminOnly: true,
  summary: 'List the addresses that mail providers report to',
  description: sending.listMailHooks.description,
  query: paging,
  data: sending.MailHook,
  paged: true,
  errors: [],
  example: { data: sending.listMailHooks.example.data },
});
export const createWorkspaceHook = route({
  id: 'createWorkspaceHook',
  tag,
  versions,
  method: 'POST',
  path: hooks,
  adminOnly: true,
  summary: 'Make an address that a mail provider reports to',
  description: sending.createMailHook.description,
  body: sending.MailHookBody,
  data: sending.NewMailHook,
  paged: false,
  errors: [],
  example: { body: sending.createMailHook.example.body, data: sending.createMailHook.example.data },
});
export const removeWorkspaceHook = route({
  id: 'removeWorkspaceHook',
  tag,
  versions,
  method: 'DELETE',
  path: `${hooks}/{hookId}`,
  adminOnly: true,
  summary: 'Remove an address that a mail provider reports to',
  pathParams: { hookId: 'Hook id.' },
  data: Type.Object({ hookId: AssetId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { hookId: '65f1c0ffee0123456789abcd' },
    data: { hookId: '65f1c0ffee0123456789abcd', success: true },
  },
});

export const workspaceRoutes = [
  getWorkspace,
  updateWorkspace,
  listWorkspaceDomains,
  addWorkspaceDomain,
  checkWorkspaceDomain,
  removeWorkspaceDomain,
  getWorkspaceTransport,
  setWorkspaceTransport,
  testWorkspaceTransport,
  removeWorkspaceTransport,
  listWorkspaceHooks,
  createWorkspaceHook,
  removeWorkspaceHook,
] as const;
