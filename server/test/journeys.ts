// Journeys for tests, with contacts in them, but without any worker.
import { bytes, sql } from '../src/db/sql.js';
import { newContactId } from '../src/lib/ids.js';
import type { TenantClient, TestApp } from './app.js';

/** A valid definition that contacts enter only through the API. */
export const plainDefinition = {
  entry: { api: true },
  steps: [
    { id: 'wait', type: 'delay', for: 'P1D' },
    { id: 'end', type: 'exit' },
  ],
};

/** The id of a new journey: a valid trigger journey by default. */
export async function makeJourney(tenant: TenantClient, change: Record<string, unknown> = {}): Promise<string> {
  const body = { name: 'A journey', type: 'trigger', definition: plainDefinition, ...change };
  const { status, body: answer, text } = await tenant.post('/v2/journeys', body);
  if (status !== 200) throw new Error(text);
  return answer.data.journeyId;
}

export async function makeActive(tenant: TenantClient, change: Record<string, unknown> = {}): Promise<string> {
  const id = await makeJourney(tenant, change);
  const { status, text } = await tenant.post(`/v2/journeys/${id}/activate`);
  if (status !== 200) throw new Error(text);
  return id;
}

/** As if this many contacts stood at a step of a version. */
export async function seedEnrolments(
  t: TestApp,
  { tenantId }: TenantClient,
  journeyId: string,
  { stepId, version = 1, count = 1 }: { stepId: string; version?: number; count?: number },
): Promise<void> {
  const ids = Array.from({ length: count }, () => newContactId());
  await t.db.transaction((tx) =>
    tx.run(sql`
      insert into enrolment (tenant_id, enrolment_id, journey_no, version, contact_id, step_id, visit, step_at, phase,
        wait_until, due_at, entered_at)
      select ${tenantId}, id, j.journey_no, ${version}, id, ${stepId}, 1, now(), 'waiting', now() + interval '1 day',
        now() + interval '1 day', now()
      from journey j, unnest(${ids}::uuid[]) as id
      where j.tenant_id = ${tenantId} and j.journey_id = ${bytes(journeyId)}`),
  );
}
