import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of our own sent a request: another site's cannot say this of itself. Browsers without `Sec-Fetch-Site`, and all of them
 * over plain http, tell their origin when they post; a request with neither is not from a page of ours.
 * @param baseUrl where people reach us: a proxy may ask us by another name.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, baseUrl = ''): boolean {
  if (headers['sec-fetch-site'] !== undefined) return headers['sec-fetch-site'] === 'same-origin';
  const { origin } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  return new URL(origin).host === (headers.host ?? '') || (URL.canParse(baseUrl) && new URL(baseUrl).origin === origin);
}
