// A run of events that fails, while a listener to its news is not done yet.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { sql } from '../../db/sql.js';
import { newContactId } from '../../lib/ids.js';
import { eventsStored } from './news.js';
import { EventStore } from './store-events.js';

const t = useDatabase();
const now = '2026-11-15T00:00:00.000Z';

it('ends only once nothing of it is on its way: what comes late is not stored, and the first error is told', async () => {
  await t.db.run(sql`create table heard (tenant_id integer)`);
  await t.db.run(sql`alter table event_name add constraint no_poison check (name <> 'poison')`);
  let heard: Promise<number> | undefined;
  eventsStored.hear(t.db.identity, async (tx, tenantId) => {
    heard = sleep(100).then(() => tx.run(sql`insert into heard values (${tenantId})`));
    await heard;
  });
  const event = {
    ...{ contactId: newContactId(), eventNo: 1, eventId: null, userId: null, orgId: null, email: null },
    ...{ properties: null, eventName: 'poison', eventDate: now, acknowledgedAt: now },
  };
  const storing = t.db.transaction((tx) => {
    const store = new EventStore(tx, 1);
    return store.run(async () => {
      store.add([event]);
      return store.finish(now);
    });
  });
  await expect(storing).rejects.toThrow('no_poison');
  await expect(heard).rejects.toThrow();
  expect(await t.db.rows(sql`select tenant_id from heard`)).toEqual([]);
});
