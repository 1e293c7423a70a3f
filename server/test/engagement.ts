// Sent messages, and what people do with them.

import { sql } from '../src/db/sql.js';
import type { TestApp } from './app.js';
import type { Mailer } from './messages.js';

export const html =
  '<p>Hi {{first_name}}</p><a href="https://shop.test/a">A</a><a href="https://shop.test/b?x=1&amp;y=2">B</a><a href="{{unsubscribe_url}}">Unsubscribe</a><a href="{{view_url}}">View</a>';
export const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0' };

interface Links {
  open: string;
  clicks: string[];
  unsubscribe: string;
  view: string;
  preferences: string;
}
export const namesOf = (rows: { eventName: string }[]) => rows.map(({ eventName }) => eventName).sort();

export function engagementOf(t: TestApp, mailer: () => Mailer) {
  /** A message sent this long ago, and its links. */
  async function sent(
    address: string,
    { from = mailer(), secondsAgo = 60, ...body }: { from?: Mailer; secondsAgo?: number; transactional?: boolean } = {},
  ) {
    const known = (await from.get(`/v2/contacts/by-email/${address}`)).body.data;
    const contactId = known?.id ?? (await from.contact(address, { first_name: 'Ada' }));
    const messageId = await from.queue({ contactId, ...body });
    await from.until(messageId, 'sent', 'skipped');
    await t.db.run(sql`
      update message set sent_at = now() - make_interval(secs => ${secondsAgo}), queued_at = now() - make_interval(secs => ${secondsAgo + 1})
      where message_id = ${messageId}`);
    return { contactId, messageId, links: await linksOf(messageId) };
  }

  async function linksOf(messageId: string): Promise<Links> {
    const row = await t.db.row(sql<{ html: string }>`
      select html from outbox_message where message_id like ${`<${messageId}@%`}`);
    const found = [...(row?.html ?? '').matchAll(/(?:href|src)="http:\/\/rapport\.test(\/t\/[^"]+)"/g)].map(
      ([, path]) => path as string,
    );
    const of = (kind: string) => found.filter((path) => path.startsWith(`/t/${kind}/`));
    return {
      open: of('o')[0] ?? '',
      clicks: of('c'),
      unsubscribe: of('u')[0] ?? '',
      view: of('v')[0] ?? '',
      preferences: of('p')[0] ?? '',
    };
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  const activityOf = async (contactId: string, from = mailer()): Promise<any[]> =>
    (await from.get(`/v2/contacts/${contactId}/marketing-activity?pageSize=200`)).body.data;

  return { sent, activityOf };
}
