import { expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { costsOf } from '../../../../test/filters/plan-costs.js';
import { newTenant } from '../../../../test/transactions.js';
import type { Runner } from '../../../db/runner.js';
import { type Sql, sql } from '../../../db/sql.js';
import { newAssetId, newContactId } from '../../../lib/ids.js';
import { selectRefusals } from './queries.js';

const t = useDatabase();

it('refusals of a contact are read from its own timelines, however many others there are', async () => {
  const tenantId = await newTenant(t.db);
  const contactId = newContactId();
  await t.db.background.run(sql`
    insert into enrolment (tenant_id, enrolment_id, journey_no, version, contact_id, entered_at)
    select ${tenantId}, lpad(to_hex(n), 32, '0')::uuid, 1, 1, case when n = 7 then ${contactId} else gen_random_uuid() end, now()
    from generate_series(1, 20000) n`);
  await t.db.background.run(sql`
    insert into enrolment_turn (tenant_id, enrolment_id, at, lines)
    select tenant_id, enrolment_id, now(), '[["step","x"],["event",null,"journeyNotStarted",{"journeyId":"j"}]]' from enrolment`);
  await t.db.background.run(sql`analyze`);
  const asked: Sql[] = [];
  const rows = async (statement: Sql) => {
    asked.push(statement);
    return [];
  };
  await selectRefusals({ ...t.db.background, rows } as unknown as Runner, tenantId, newAssetId(), contactId, 10);
  const { rows: seen } = await costsOf(t.db.background, asked[0] as Sql);
  expect(seen).toBeLessThan(100);
  expect(await selectRefusals(t.db, tenantId, 'j', contactId, 10)).toMatchObject([{ code: 'journeyNotStarted' }]);
});
