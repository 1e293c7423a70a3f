// Messages sent at a given time, and the statistics of their email.

import { expect } from 'vitest';
import type { TestApp } from './app.js';
import { type CaughtMail, type Mailer, makeMailer } from './messages.js';
import { type Links, linksOf, person, statsOnce, type usePost } from './statistics.js';

export const html =
  '<a href="https://shop.test/a">A</a><a href="https://shop.test/b">B</a><a href="{{unsubscribe_url}}">Unsubscribe</a>';
let made = 0;
export const pathOf = (mailer: Mailer, query: Record<string, string> = {}, emailId = mailer.emailId) =>
  `/v2/emails/${emailId}/stats?${new URLSearchParams(query)}`;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export const statsOf = async (mailer: Mailer, query: Record<string, string> = {}): Promise<any> =>
  (await mailer.get(pathOf(mailer, query))).body.data;
export const expectStats = (mailer: Mailer, expected: Record<string, unknown>, query: Record<string, string> = {}) =>
  statsOnce(mailer, pathOf(mailer, query), expected);

interface Sent {
  messageId: string;
  address: string;
  links: Links;
}

export function emailStatsOf(post: ReturnType<typeof usePost>, t: TestApp) {
  const { clock } = post;

  const newMailer = () => makeMailer(t, { html });

  /** A message sent at a given time. */
  async function sendAt(mailer: Mailer, at: string, { emailId = mailer.emailId } = {}): Promise<Sent> {
    clock.set(at);
    const address = `reader${++made}@x.io`;
    await mailer.contact(address);
    const messageId = await mailer.queue({ email: address, emailId });
    await mailer.until(messageId, 'sent');
    return { messageId, address, links: linksOf(post.server.to(address)[0] as CaughtMail) };
  }

  async function follow(at: string, path: string, by: Record<string, string> = person): Promise<void> {
    clock.set(at);
    const { status } = await t.anonymous.get(path, by);
    expect([200, 302]).toContain(status);
  }

  return { clock, newMailer, sendAt, follow };
}
