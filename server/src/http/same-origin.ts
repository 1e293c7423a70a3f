import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether one of our own pages sent a request: another site's page cannot claim this. Browsers without `Sec-Fetch-Site`, and all of them
 * over plain http, send their origin with a POST; a request with neither is not from one of our pages.
 * @param baseUrl our public address: a proxy may use another name for us.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, baseUrl = ''): boolean {
  if (headers['sec-fetch-site'] !== undefined) return headers['sec-fetch-site'] === 'same-origin';
  const { origin } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  return new URL(origin).host === (headers.host ?? '') || (URL.canParse(baseUrl) && new URL(baseUrl).origin === origin);
}
