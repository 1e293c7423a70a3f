// Renders a part of the console with all that is around it on a page, above a service that a test scripts. Nothing of ours is replaced:
// the session, the client and the cache are the real ones; only `fetch` is.
import { MantineProvider } from '@mantine/core';
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { SessionProvider } from '../src/api/session/session.tsx';

// As the console does.
notifyManager.setScheduler(queueMicrotask);
// Much longer than anything takes: a busy machine is not a fault.
configure({ asyncUtilTimeout: 60_000 });

interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export const envelope = (data: unknown, headers: Record<string, string> = {}): Scripted => ({
  headers,
  body: { data, errors: [], meta: { status: 'SUCCESS' } },
});

export const page = (rows: readonly unknown[]): Scripted => ({
  body: {
    data: rows,
    errors: [],
    meta: { status: 'SUCCESS' },
    pagination: { pageNumber: 1, pageSize: 50, totalElements: rows.length, totalPages: 1 },
  },
});

export const refusal = (
  status: number,
  errors: readonly { errorCode: string; message: string; detail?: string }[],
): Scripted => ({
  status,
  body: { data: null, errors, meta: { status: 'FAILURE' } },
});

const me = {
  account: { accountId: 1, name: 'Ada Lovelace', email: 'ada@example.com', role: 'admin' },
  workspace: { tenantId: 1, name: 'Acme', timeZone: 'Europe/Berlin' },
  token: { kind: 'personal', scopes: ['READ', 'WRITE'], expiresAt: null, tokenId: 1 },
  workspaces: [],
};
const admin = envelope(me);
export const viewer = envelope({ ...me, account: { ...me.account, role: 'viewer' } });
export const readToken = envelope({ ...me, token: { ...me.token, scopes: ['READ'] } });

type Answers = Record<string, Scripted | (() => Scripted)>;

/** What was asked, as `PATCH /v2/emails/e1`, with its body. */
interface Asked {
  what: string;
  body: unknown;
  ifMatch: string | undefined;
}

/** Answers by method and path. Whatever is not scripted is not found. */
export function scriptService() {
  const service = { answers: {} as Answers, asked: [] as Asked[] };
  beforeEach(() => {
    sessionStorage.setItem('rapport-token', 'a-token');
    localStorage.clear();
    service.answers = { 'GET /v2/me': admin };
    service.asked = [];
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const what = `${init.method} ${new URL(url, 'http://console.test').pathname}`;
      const headers = new Headers(init.headers);
      const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
      service.asked.push({ what, body, ifMatch: headers.get('if-match') ?? undefined });
      const scripted = service.answers[what] ?? refusal(404, [{ errorCode: 'NOT_FOUND', message: `No ${what}.` }]);
      const answer = typeof scripted === 'function' ? scripted() : scripted;
      const json = { 'content-type': 'application/json', ...answer.headers };
      return new Response(JSON.stringify(answer.body ?? ''), { status: answer.status ?? 200, headers: json });
    });
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  return service;
}

export function stage(part: ReactNode) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const around = (children: ReactNode) => (
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <SessionProvider onSignOut={() => undefined}>{children}</SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
  const shown = render(around(part));
  return {
    user: userEvent.setup({ delay: null }),
    again: (next: ReactNode) => shown.rerender(around(next)),
    unmount: shown.unmount,
  };
}
