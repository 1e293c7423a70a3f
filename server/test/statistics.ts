// Helpers for tests of statistics: a mail server, a clock that can be set, and what people do with the mail that they got.
import { afterAll, beforeAll } from 'vitest';
import type { AppOptions } from '../src/app.js';
import { sql } from '../src/db/sql.js';
import { type Clock, systemClock } from '../src/lib/clock.js';
import { smtpTransport } from '../src/mail/smtp.js';
import type { Transport } from '../src/mail/transport.js';
import type { TestApp } from './app.js';
import { type CaughtMail, eventually, type Mailer, type MailServer, startMailServer } from './messages.js';

export const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0' };
export const program = { 'user-agent': 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)' };

/** Runs until it is set, and then stands still. `behindMs`: so that people can read mail a minute after it was sent. */
class SetClock implements Clock {
  private at: number | undefined;

  constructor(private behindMs: number) {}

  now(): Date {
    return new Date(this.at ?? systemClock.now().getTime() - this.behindMs);
  }

  /** Shows the true time while something runs. */
  async true<T>(work: () => Promise<T>): Promise<T> {
    const { behindMs } = this;
    this.behindMs = 0;
    try {
      return await work();
    } finally {
      this.behindMs = behindMs;
    }
  }

  elapsed(): number {
    return systemClock.elapsed();
  }

  set(instant: string): void {
    this.at = Date.parse(instant);
  }
}

interface Post {
  clock: SetClock;
  readonly server: MailServer;
  options: Pick<AppOptions, 'clock' | 'transport'> & { work: true };
}

/** A real mail server for the messages of an app, and the app's clock. */
export function usePost({ behindMs = 0 } = {}): Post {
  let server: MailServer | undefined;
  let smtp: Transport | undefined;
  beforeAll(async () => {
    server = await startMailServer();
    smtp = smtpTransport(server.url);
  });
  afterAll(async () => {
    smtp?.close();
    await server?.close();
  });
  const clock = new SetClock(behindMs);
  const send: Transport['send'] = (message, stored) => (smtp as Transport).send(message, stored);
  return {
    clock,
    get server() {
      return server as MailServer;
    },
    options: { clock, work: true, transport: { name: 'smtp', send, close: () => undefined } },
  };
}

/** Nothing is sent before it was queued. So that the clock may be set to any time, messages look as if they had been queued long ago. */
export function useOldQueue(t: TestApp): void {
  beforeAll(async () => {
    await t.db.run(sql`
      create function queue_long_ago() returns trigger language plpgsql
      as 'begin new.queued_at := timestamptz ''2020-01-01''; return new; end'`);
    await t.db.run(sql`
      create trigger queue_long_ago before insert on message for each row execute function queue_long_ago()`);
  });
}

export interface Links {
  open: string;
  clicks: string[];
  unsubscribe: string;
}

export function linksOf({ mail }: CaughtMail): Links {
  const found = [...(mail.html ?? '').matchAll(/(?:href|src)="http:\/\/rapport\.test(\/t\/[^"]+)"/g)].map(
    ([, path]) => path as string,
  );
  const of = (kind: string) => found.filter((path) => path.startsWith(`/t/${kind}/`));
  return { open: of('o')[0] ?? '', clicks: of('c'), unsubscribe: of('u')[0] ?? '' };
}

/** Reports what became of messages, as a mail provider does. */
export async function reporter(t: TestApp, { tenantId }: Mailer): Promise<(...events: object[]) => Promise<void>> {
  const { body } = await t.admin.post(`/admin/tenants/${tenantId}/mail-hooks`, { provider: 'generic' });
  const path = new URL(body.data.url).pathname;
  return async (...events) => {
    const { status, text } = await t.anonymous.post(path, { events });
    if (status !== 200) throw new Error(text);
  };
}

/** The statistics once they show what is expected: what people do is recorded a moment later. */
export async function statsOnce(
  tenant: Mailer,
  path: string,
  expected: Record<string, unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
): Promise<any> {
  const read = async () => {
    const { status, body, text } = await tenant.get(path);
    if (status !== 200) throw new Error(text);
    return body.data;
  };
  return eventually(read, (data) => Object.entries(expected).every(([name, value]) => data[name] === value));
}
