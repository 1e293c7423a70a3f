// Links under the sender's own domain, such as links.example.com, instead of the installation's name.

import { placeholderHost } from '@rapport/contract';
import type { Signer } from './domain-keys.js';
import { hostsOf } from './records.js';

/** With https the operator must have certificates for these names, and says so: TRACKING_DOMAINS. */
export function usesLinkNames(baseUrl: string, wanted: boolean | undefined): boolean {
  return wanted ?? !baseUrl.startsWith('https:');
}

/**
 * What the links in a domain's mail begin with: its own name, once a check has found that it leads to our current link host. Never while
 * BASE_URL is local, because then it leads nowhere.
 */
export function linkBaseOf(baseUrl: string, signer: Signer | null, wanted: boolean | undefined): string {
  if (!signer?.trackingDomain || !usesLinkNames(baseUrl, wanted) || !URL.canParse(baseUrl)) return baseUrl;
  const { linkHost } = hostsOf(baseUrl, undefined, undefined);
  if (linkHost === placeholderHost || signer.trackingHost !== linkHost) return baseUrl;
  const { protocol, port } = new URL(baseUrl);
  return `${protocol}//${signer.trackingDomain}${port === '' ? '' : `:${port}`}`;
}
