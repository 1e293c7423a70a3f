// Lists of messages by state, where the states are rare and their messages old: among 30,000, the oldest 300 bounced or failed.
import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../../../test/database.js';
import type { Database } from '../../../../db/database.js';
import { Sql, sql } from '../../../../db/sql.js';
import { selectMessages } from './queries.js';

const t = useDatabase();
const tenantId = 1;

beforeAll(async () => {
  await t.db.background.run(sql`
    insert into message (tenant_id, message_id, kind, state, address, email_id, queued_at)
    select ${tenantId}, lpad(to_hex(i), 32, '0')::uuid, 'direct',
      case when i > 300 then 'sent' when i % 3 = 0 then 'failed' else 'bounced' end, i || '@x.test',
      '\\x000000000000000000000001', now() - interval '1 day' + (i / 2) * interval '1 s'
    from generate_series(1, 30000) i`);
  await t.db.background.run(sql`analyze message`);
});

type Filter = Parameters<typeof selectMessages>[2];
const anything: Filter = {
  ...{ contactId: undefined, email: undefined, emailId: undefined, journeyId: undefined, enrolmentId: undefined },
  ...{ states: [], kept: undefined, startTime: undefined, endTime: undefined },
};
const numbers = (rows: { messageId: string }[]) => rows.map(({ messageId }) => Number.parseInt(messageId, 16));
const upTo300 = Array.from({ length: 300 }, (_, i) => 300 - i);

it('are in one order, whatever their states, and each is listed once', async () => {
  const states: Filter['states'] = ['bounced', 'failed', 'bounced'];
  const first = await selectMessages(t.db, tenantId, { ...anything, states }, { limit: 20, offset: 0 });
  expect(first.total).toBe(300);
  expect(numbers(first.rows)).toEqual(upTo300.slice(0, 20));
  const late = await selectMessages(t.db, tenantId, { ...anything, states }, { limit: 20, offset: 290 });
  expect(numbers(late.rows)).toEqual(upTo300.slice(290));
  const failed = await selectMessages(t.db, tenantId, { ...anything, states: ['failed'] }, { limit: 5, offset: 5 });
  expect(failed.total).toBe(100);
  expect(numbers(failed.rows)).toEqual([285, 282, 279, 276, 273]);
});

it('keep to the time that is asked for', async () => {
  const { rows } = await selectMessages(t.db, tenantId, { ...anything, states: ['bounced'] }, { limit: 1, offset: 99 });
  const endTime = rows[0]?.queuedAt;
  const found = await selectMessages(
    t.db,
    tenantId,
    { ...anything, states: ['bounced', 'queued'], startTime: endTime, endTime },
    { limit: 9, offset: 0 },
  );
  expect(numbers(found.rows)).toContain(numbers(rows)[0]);
  expect(found.rows.every(({ queuedAt }) => queuedAt === endTime)).toBe(true);
});

it('are read from the index of states, not by walking back over all that were sent', async () => {
  let plan = '';
  const rows = async ({ text, values }: Sql) => {
    const lines = await t.db
      .slow(tenantId)
      .rows(new Sql<Record<string, string>>(`explain (costs off) ${text}`, '', values));
    plan = lines.map((line) => Object.values(line)[0]).join('\n');
    return [];
  };
  const explained = { ...t.db, slow: () => ({ ...t.db, rows }) } as unknown as Database;
  await selectMessages(explained, tenantId, { ...anything, states: ['bounced', 'failed'] }, { limit: 20, offset: 0 });
  expect(plan).toContain('message_in_state');
  expect(plan).not.toMatch(/message_newest|Seq Scan/);
});
