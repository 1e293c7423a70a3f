// Contacts in a journey, and its statistics.

import { expect } from 'vitest';
import type { TestApp } from './app.js';
import { enrolmentsOf, until } from './enrolments.js';
import { type CaughtMail, eventually, type Mailer } from './messages.js';
import { linksOf, person, type usePost } from './statistics.js';

export const html = '<a href="https://shop.test/a">A</a><a href="https://shop.test/b">B</a>{{unsubscribe_url}}';
let made = 0;

export interface Traveller {
  contactId: string;
  address: string;
}

export function journeyStatsOf(post: ReturnType<typeof usePost>, t: TestApp, mailer: () => Mailer) {
  /** Mail, then a wait until `plan` decides how it continues; `bought` is the goal. */
  const passing = (first: object[] = [{ id: 'mail', type: 'sendEmail', emailId: mailer().emailId }]) => ({
    entry: { api: true },
    steps: [
      ...first,
      {
        id: 'wait',
        type: 'waitUntil',
        branches: [
          { filter: { property: 'plan', is: 'pro' }, next: null },
          { filter: { property: 'plan', is: 'gone' }, next: 'out' },
        ],
        timeout: 'P30D',
        onTimeout: null,
      },
      { id: 'out', type: 'exit', reason: 'gone' },
    ],
    goal: { filter: { property: 'bought', is: true } },
  });

  /** This many new contacts, who enter and stand at the wait, and whose mail was sent. */
  async function enroll(journeyId: string, count: number, mails = count): Promise<Traveller[]> {
    const addresses = Array.from({ length: count }, () => `traveller${++made}@x.io`);
    const contacts = addresses.map((email) => ({ email }));
    const { data } = await mailer().done(await mailer().post('/v2/contacts/batch', { contacts }));
    const all: Traveller[] = data.results.map(({ email, contactId }: { email: string; contactId: string }) => ({
      ...{ address: email, contactId },
    }));
    const before = (await read(journeyId)).sent;
    const enrolled = await mailer().post(`/v2/journeys/${journeyId}/enroll`, {
      contactIds: all.map(({ contactId }) => contactId),
    });
    expect(enrolled.body.data.enrolled).toBe(count);
    await until(
      () => enrolmentsOf(mailer(), journeyId, '&stepId=wait'),
      (found) => all.every(({ contactId }) => found.some((one) => one.contactId === contactId)),
    );
    if (Number.isFinite(mails)) await expectStats(journeyId, { sent: before + mails });
    return all;
  }

  async function change({ contactId }: Traveller, properties: object): Promise<void> {
    await mailer().done(await mailer().patch(`/v2/contacts/${contactId}`, { properties }));
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  async function read(journeyId: string, query: Record<string, string> = {}): Promise<any> {
    const { status, body, text } = await mailer().get(`/v2/journeys/${journeyId}/stats?${new URLSearchParams(query)}`);
    if (status !== 200) throw new Error(text);
    return body.data;
  }

  const expectStats = (journeyId: string, expected: Record<string, number>) =>
    eventually(
      () => read(journeyId),
      (data) => Object.entries(expected).every(([name, value]) => data[name] === value),
    );

  /** What a person does with the mail that a contact got. */
  async function follow({ address }: Traveller, what: 'open' | 'click'): Promise<void> {
    const { open, clicks } = linksOf(post.server.to(address)[0] as CaughtMail);
    const { status } = await post.clock.true(() =>
      t.anonymous.get(what === 'open' ? open : (clicks[0] as string), person),
    );
    expect([200, 302]).toContain(status);
  }

  return { passing, enroll, change, read, expectStats, follow };
}
