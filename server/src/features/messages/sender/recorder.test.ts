// An outcome that cannot be stored delays no other.
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { sql } from '../../../db/sql.js';
import { newMessageUuid, newUuid } from '../../../lib/ids.js';
import { Acknowledger } from '../../transactions/index.js';
import { outcomeOf } from './outcome.js';
import { MessageRecorder } from './recorder.js';

const t = useDatabase();

it('stores other outcomes while one cannot be stored at all', async () => {
  const lease = newUuid();
  let isOver = false;
  const recorder = new MessageRecorder({
    ...{
      db: t.db.background,
      acknowledger: new Acknowledger(t.db, () => undefined),
      log: pino({ level: 'silent' }),
      lease,
    },
    onRecorded: () => undefined,
  });
  const ids = [newMessageUuid(), newMessageUuid(), newMessageUuid()] as const;
  for (const id of ids)
    await t.db.run(sql`
      insert into message (tenant_id, message_id, kind, state, address, email_id, lease)
      values (1, ${id}, 'direct', 'sending', 'a@x.io', '\\x000000000000000000000001', ${lease})`);
  const at = '2026-11-15T09:00:00.000Z';
  // An invalid time: PostgreSQL refuses the row, with or without its texts.
  const never = recorder.record(outcomeOf(1, ids[0], 'sent', 'never', { reply: '250 Ok' })).then(() => {
    isOver = true;
  });
  await Promise.all(ids.slice(1).map((id) => recorder.record(outcomeOf(1, id, 'sent', at, { reply: '250 Ok' }))));
  const stored = await t.db.rows(
    sql<{ id: string }>`select message_id as id from message where state = 'sent' order by 1`,
  );
  expect(stored.map(({ id }) => id)).toEqual([...ids.slice(1)].sort());
  expect(isOver).toBe(false);
  void never;
});
