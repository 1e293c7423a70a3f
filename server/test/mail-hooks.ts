// The hooks of tenant 7: a token is the name of its provider, which may have a key.
import { mailProviders, type Provider } from '@rapport/contract';
import { pino } from 'pino';
import { afterAll, beforeEach } from 'vitest';
import { type Hook, hookPaths, installHooks } from '../src/features/messages/hooks/routes.js';
import type { Aws } from '../src/features/messages/hooks/sns.js';
import type { Notice } from '../src/features/messages/notices.js';
import { createServer } from '../src/http/server.js';
import { systemClock } from '../src/lib/clock.js';

export const messageId = '0199a1b2c3d47e5f8a9b0c1d2e3f4a5b';
export const headerId = `<${messageId}@news.acme.test>`;
export const email = 'ada@example.com';
export const at = '2026-11-13T09:00:00.000Z';
export const seconds = Date.parse(at) / 1000;
export const ok = { status: 200, text: '{"success":true}' };
export const refused = { status: 401, text: '' };
export const whole = (notice: Partial<Notice>): Notice => ({
  ...{ what: 'delivered', messageId: null, email: null, isHard: false, suppresses: false, reason: null, at: null },
  ...notice,
});

const unreachable: Aws = {
  fetchCertificate: () => Promise.reject(new Error('no network')),
  visit: () => Promise.reject(new Error('no network')),
};
const shut = () => ({ status: 401 as const, headers: {} });

/** `onNotices` may refuse to store them by throwing. */
export function useHooks({ aws = unreachable, onNotices = () => undefined as void } = {}) {
  const keys = new Map<string, string>();
  const taken: { tenantId: number; notices: readonly Notice[] }[] = [];
  const http = createServer({
    endpoints: [],
    others: hookPaths,
    guards: { api: shut, admin: shut, ingest: shut },
    pageKeyGuard: shut,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    whyUnavailable: (error) =>
      error.message === 'away' ? { reason: 'the database is away', retryAfter: 1 } : undefined,
  });
  installHooks(http, {
    clock: systemClock,
    findHook: async (tenantId, token): Promise<Hook | undefined> =>
      tenantId === 7 && Object.hasOwn(mailProviders, token)
        ? { tenantId, provider: token as Provider, key: keys.get(token) ?? null }
        : undefined,
    takeNotices: async (tenantId, notices) => {
      onNotices();
      taken.push({ tenantId, notices });
    },
    // As the database remembers them: see replays.test.ts.
    claimToken: async () => true,
    aws,
  });
  afterAll(() => http.close());
  beforeEach(() => {
    keys.clear();
    taken.length = 0;
  });

  async function post(hook: string, body: unknown, headers: Record<string, string> = {}) {
    const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const url = `/hooks/mail/${hook}`;
    const response = await http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    });
    return { status: response.statusCode, text: response.body, headers: response.headers };
  }
  return { http, keys, taken, post, noticed: () => taken.flatMap(({ notices }) => notices) };
}
