// During a rolling upgrade an older build runs beside a newer one, which may write news of kinds that the older one does not know.
import { expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { hasEnded, startJourney, untilEnrolment } from '../../../../test/enrolments.js';
import { makeContact, sendEvents } from '../../../../test/events.js';
import { sql } from '../../../db/sql.js';
import { selectDue } from '../turn/look/queries.js';
import { NewsFloor } from '../turn/news-floor.js';

const t = useApp({ work: true });

it('leaves news of a kind that it does not know for a build that does, and reads what comes behind', async () => {
  const tenant = await t.tenant();
  const contactId = await makeContact(tenant, 'a@x.io');
  const journeyId = await startJourney(tenant, {
    entry: { event: { eventName: 'came' } },
    steps: [{ id: 'out', type: 'exit' }],
  });
  await t.db.run(sql`
    insert into journey_news (tenant_id, journey_no, kind, contact_id, at)
    select tenant_id, journey_no, 'fromTheFuture', ${contactId}, now() from journey where tenant_id = ${tenant.tenantId}`);
  await sendEvents(tenant, [{ eventName: 'came', email: 'a@x.io' }]);
  expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ contactId });
  const kinds = sql<{ kind: string }>`select kind from journey_news where tenant_id = ${tenant.tenantId}`;
  await expect.poll(() => t.db.rows(kinds)).toEqual([{ kind: 'fromTheFuture' }]);
  expect((await selectDue(t.db, new NewsFloor())).tenants).toEqual([]);
});
