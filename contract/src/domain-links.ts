// Links that show the DNS records of a sending domain without a sign-in, for the person who runs DNS.
import { Type } from 'typebox';
import { onlyV2, route } from './route.js';
import { Instant, Named, Success } from './schema.js';

const tag = 'Workspace';
const versions = onlyV2;
const path = '/workspace/sending-domains/{domain}/share';
const pathParams = { domain: 'Domain name.' };

export const shareWorkspaceDomain = route({
  id: 'shareWorkspaceDomain',
  tag,
  versions,
  method: 'POST',
  path,
  adminOnly: true,
  summary: 'Make a link that shows the DNS records of a sending domain',
  description:
    'For the person who runs DNS: a page that needs no sign-in, shows the records of this domain and nothing else, and ends after 30 days. A new link ends the one before it.',
  pathParams,
  data: Named('DomainLink', {
    domain: Type.String(),
    url: Type.String({ description: 'It contains a secret, and is shown only once.' }),
    expiresAt: Instant,
  }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { domain: 'example.com' },
    data: {
      domain: 'example.com',
      url: 'https://rapport.example/dns/1.q3Zt0yVh0m2cYw1rJ8Xk5bN7sD4fG6hLpA9uE1iO2xT',
      expiresAt: '2026-12-15T09:30:00.000Z',
    },
  },
});
export const unshareWorkspaceDomain = route({
  id: 'unshareWorkspaceDomain',
  tag,
  versions,
  method: 'DELETE',
  path,
  adminOnly: true,
  summary: 'End the link that shows the DNS records of a sending domain',
  pathParams,
  data: Success,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { domain: 'example.com' }, data: { success: true } },
});

export const domainLinkRoutes = [shareWorkspaceDomain, unshareWorkspaceDomain] as const;
