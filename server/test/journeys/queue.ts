// The queue of journeys, served manually.

import { pino } from 'pino';
import { type Sql, sql } from '../../src/db/sql.js';
import { topicSetter } from '../../src/features/consent/set-topics.js';
import type { Renderer } from '../../src/features/emails/index.js';
import { eventsStored } from '../../src/features/events/index.js';
import { Subjects } from '../../src/features/filter-language/index.js';
import { readDefinition } from '../../src/features/journeys/definition/read.js';
import { Interests } from '../../src/features/journeys/news/interests.js';
import { journeyQueue } from '../../src/features/journeys/work/queue.js';
import { Acknowledger } from '../../src/features/transactions/index.js';
import { type Queue, unwatched } from '../../src/work/queue.js';
import type { TenantClient, TestApp } from '../app.js';
import { seedContacts } from '../dynamic-lists.js';
import { type WatchedBackground, watched } from '../watched-database.js';

export function queueOf(t: TestApp, renderer: Renderer, tenant: () => TenantClient) {
  /** A worker for the test. It is the only one here: the app has none. */
  function worker(): { queue: Queue; db: WatchedBackground; interests: Interests } {
    const db = watched(t.db.background);
    const interests = new Interests((json, type) => readDefinition(json, type, new Subjects([])));
    const acknowledger = new Acknowledger(t.db, () => undefined);
    const setTopics = topicSetter(acknowledger);
    const rest = { renderer, acknowledger, setTopics, wakeMessages: () => undefined, log: pino({ level: 'silent' }) };
    return { queue: journeyQueue({ db, interests, ...rest }), db, interests };
  }

  const serve = (queue: Queue) => queue.serve(tenant().tenantId, unwatched, new AbortController().signal);

  /** Runs until there is nothing to do. Returns the number of turns. */
  async function finish(queue: Queue): Promise<number> {
    for (let turns = 0; ; turns++) {
      const { tenants } = await queue.due();
      if (!tenants.includes(tenant().tenantId)) return turns;
      if ((await serve(queue)) === 'busy') await new Promise((resolve) => setTimeout(resolve, 20));
      if (turns > 500) throw new Error('It never comes to an end');
    }
  }

  /** As the applier of events does. */
  async function happen(events: readonly { contactId: string; eventName: string }[]): Promise<void> {
    const at = new Date().toISOString();
    const rest = { eventId: null, userId: null, orgId: null, email: null, properties: null, eventNo: 1, eventDate: at };
    await t.db.background.transaction((tx) =>
      eventsStored.tell(tx, tenant().tenantId, at, () =>
        events.map((event) => ({ ...rest, ...event, acknowledgedAt: at })),
      ),
    );
  }

  const people = (count: number, prefix = 'q') =>
    seedContacts(
      t,
      tenant(),
      Array.from({ length: count }, (_, i) => ({ email: `${prefix}${i}@x.io`, properties: { nth: i } })),
    );
  const count = async (what: Sql) => (await t.db.row(sql<{ n: number }>`select count(*) as n from ${what}`))?.n ?? 0;

  return { worker, serve, finish, happen, people, count };
}
