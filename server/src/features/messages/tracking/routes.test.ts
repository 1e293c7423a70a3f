import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeLedger, messageId, tenantId, trackingServer } from '../../../../test/tracking.js';
import type { LinkMaker } from './tokens.js';

const at = '2026-11-16T10:00:00.000Z';
const clock = { now: () => new Date(at), elapsed: () => 0 };
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.3';

let ledger: FakeLedger;
let app: FastifyInstance;
let links: LinkMaker;
let logged: string[];
beforeEach(() => {
  ledger = new FakeLedger();
  links = ledger.links('');
  logged = [];
  app = trackingServer(ledger, { clock, logged });
});
afterEach(() => app.close());

const ask = (method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS', url: string, headers = {}) =>
  app.inject({ method, url, headers: { 'user-agent': agent, ...headers } });
const prefetches = [
  { 'sec-purpose': 'prefetch' },
  { 'sec-purpose': 'prefetch;prerender' },
  { purpose: 'prefetch' },
  { 'x-moz': 'prefetch' },
  { 'x-purpose': 'preview' },
];
/** Invalid tokens of one kind: cut off, too long, another spelling, made up, of another kind, of another tenant, of no tenant. */
function badLinks(prefix: string, good: string, other: string): string[] {
  const token = good.slice(prefix.length);
  return [
    prefix + token.slice(0, -1),
    `${prefix + token}A`,
    `${prefix + token}=`,
    `${prefix}${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
    `${prefix}x`,
    `${prefix}%00`,
    `${prefix}%FF%zz`,
    prefix + 'A'.repeat(9000),
    prefix + other.slice(other.lastIndexOf('/') + 1),
  ];
}

describe('the pixel', () => {
  it('is a picture of 43 bytes that is not cached, and records an open', async () => {
    const { statusCode, headers, rawPayload } = await ask('GET', links.open());
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'image/gif', 'cache-control': 'no-store', 'content-length': '43' });
    expect(rawPayload.subarray(0, 6).toString()).toBe('GIF89a');
    expect(ledger.engagements).toEqual([{ tenantId, messageId, what: 'opened', at, agent }]);
  });

  it('is served for a bad token too, and records nothing', async () => {
    for (const url of badLinks('/t/o/', links.open(), links.unsubscribe())) {
      const { statusCode, rawPayload } = await ask('GET', url);
      expect([statusCode, rawPayload.length], url).toEqual([200, 43]);
    }
    expect(ledger.engagements).toEqual([]);
  });

  it('records nothing for a prefetch or a HEAD request', async () => {
    for (const headers of prefetches) expect((await ask('GET', links.open(), headers)).rawPayload).toHaveLength(43);
    const { statusCode, headers, rawPayload } = await ask('HEAD', links.open());
    expect([statusCode, headers['content-length'], rawPayload.length]).toEqual([200, '43', 0]);
    expect(ledger.engagements).toEqual([]);
  });

  it('is served even if nothing can be recorded, which is logged once', async () => {
    const failing = vi.spyOn(ledger, 'record').mockRejectedValue(new Error('no database'));
    for (let i = 0; i < 3; i++) expect((await ask('GET', links.open())).rawPayload).toHaveLength(43);
    expect(logged).toEqual(['opens and clicks are not recorded']);
    failing.mockRestore();
    await ask('GET', links.open());
    vi.spyOn(ledger, 'keyOf').mockRejectedValue(new Error('no database'));
    expect((await ask('GET', links.open())).rawPayload).toHaveLength(43);
    expect(logged).toHaveLength(2);
  });

  it('keeps only the identifying part of a user agent, and nothing if there is none', async () => {
    await ask('GET', links.open(), { 'user-agent': 'x'.repeat(5000) });
    await app.inject({ url: links.open(), headers: { 'user-agent': undefined } });
    expect(ledger.engagements.map((each) => each.agent?.length)).toEqual([500, undefined]);
  });
});

describe('a link', () => {
  it('leads where it led in the mail, and records a click', async () => {
    const url = 'https://shop.example.com/a?b=1&c=%20#d';
    const { statusCode, headers, body } = await ask('GET', links.click(3, url));
    expect([statusCode, headers.location, body]).toEqual([302, url, '']);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(ledger.engagements).toEqual([{ tenantId, messageId, what: 'clicked', at, agent, linkNo: 3, url }]);
  });

  it('leads nowhere with a bad token', async () => {
    const good = links.click(0, 'https://example.com/');
    const foreign = ledger.links('', 8).click(0, 'https://evil.example/');
    const forged = Buffer.from(foreign.slice(5), 'base64url');
    forged[16] = tenantId;
    const bad = [...badLinks('/t/c/', good, links.open()), `/t/c/${forged.toString('base64url')}`];
    for (const url of bad) {
      const { statusCode, headers, body } = await ask('GET', url);
      expect([statusCode, headers.location], url).toEqual([404, undefined]);
      expect(body).toContain('<h1>This link doesn’t work</h1>');
    }
    expect(ledger.engagements).toEqual([]);
  });

  it('leads nowhere once its tenant is gone', async () => {
    ledger.keys.clear();
    expect((await ask('GET', links.click(0, 'https://example.com/'))).statusCode).toBe(404);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example/',
    'ftp://example.com/',
    '/',
    '',
    'https://',
    'x',
  ])('leads nowhere but to the web, even if we signed it: %j', async (url) => {
    const { statusCode, headers } = await ask('GET', links.click(0, url));
    expect([statusCode, headers.location]).toEqual([404, undefined]);
  });

  it.each([
    ['https://example.com/\r\nSet-Cookie: a=b', 'https://example.com/Set-Cookie:%20a=b'],
    ['https://ä.example/ü?q=日', 'https://xn--4ca.example/%C3%BC?q=%E6%97%A5'],
    ['https://example.com/a b\u0000', 'https://example.com/a%20b'],
    ['HTTPS://Example.com', 'HTTPS://Example.com'],
  ])('has nothing in its header that does not belong there: %j', async (url, location) => {
    const { statusCode, headers } = await ask('GET', links.click(0, url));
    expect([statusCode, headers.location, headers['set-cookie']]).toEqual([302, location, undefined]);
  });

  it('records nothing for a prefetch or a HEAD request', async () => {
    const url = links.click(0, 'https://example.com/');
    for (const headers of prefetches) expect((await ask('GET', url, headers)).statusCode).toBe(302);
    expect((await ask('HEAD', url)).headers.location).toBe('https://example.com/');
    expect(ledger.engagements).toEqual([]);
  });

  it('still redirects if the click cannot be recorded', async () => {
    vi.spyOn(ledger, 'record').mockRejectedValue(new Error('no database'));
    for (let i = 0; i < 2; i++) expect((await ask('GET', links.click(0, 'https://example.com/'))).statusCode).toBe(302);
    expect(logged).toEqual(['opens and clicks are not recorded']);
  });

  it('still redirects if recording takes forever', async () => {
    vi.spyOn(ledger, 'record').mockReturnValue(new Promise(() => {}));
    expect((await ask('GET', links.click(0, 'https://example.com/'))).statusCode).toBe(302);
    expect(logged).toEqual(['opens and clicks take too long to record; answers no longer wait for it']);
  });

  it('asks to try again later if it cannot be checked', async () => {
    vi.spyOn(ledger, 'keyOf').mockRejectedValue(new Error('no database'));
    const { statusCode, headers, body } = await ask('GET', links.click(0, 'https://example.com/'));
    expect([statusCode, headers['retry-after'], headers.location]).toEqual([503, '60', undefined]);
    expect(body).toContain('<h1>That didn’t work</h1>');
  });
});

it.each([
  ['/t/o/x', 'GET, HEAD'],
  ['/t/c/x', 'GET, HEAD'],
  ['/t/u/x', 'GET, HEAD, POST'],
  ['/t/v/x', 'GET, HEAD'],
])('%s allows %s', async (url, allow) => {
  for (const method of ['PUT', 'DELETE', 'OPTIONS'] as const) {
    const { statusCode, headers } = await ask(method, url);
    expect([statusCode, headers.allow], method).toEqual([405, allow]);
  }
});
