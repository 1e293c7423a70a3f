// Running journeys for tests: created, activated, and watched until they come to rest.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantClient } from './app.js';

export interface ShownEnrolment {
  enrolmentId: string;
  contactId: string | null;
  state: string;
  reason: string | null;
  stepId: string | null;
  enteredAt: string;
  dueAt: string | null;
  endedAt: string | null;
  goalAt: string | null;
  version: number;
}

export interface ShownEntry {
  at: string;
  what: string;
  stepId?: string;
  detail?: string;
  fact?: { code: string };
}

/** The id of a new active journey. */
export async function startJourney(
  tenant: TenantClient,
  definition: Record<string, unknown>,
  type: 'trigger' | 'batch' = 'trigger',
): Promise<string> {
  const made = await tenant.post('/v2/journeys', { name: 'A journey', type, definition });
  if (made.status !== 200) throw new Error(made.text);
  const { journeyId } = made.body.data;
  const started = await tenant.post(`/v2/journeys/${journeyId}/activate`);
  if (started.status !== 200) throw new Error(started.text);
  return journeyId;
}

export async function enrolmentsOf(tenant: TenantClient, journeyId: string, query = ''): Promise<ShownEnrolment[]> {
  const { status, body, text } = await tenant.get(`/v2/journeys/${journeyId}/enrolments?pageSize=200${query}`);
  if (status !== 200) throw new Error(text);
  return body.data;
}

export async function timelineOf(tenant: TenantClient, journeyId: string, enrolmentId: string): Promise<ShownEntry[]> {
  const { status, body, text } = await tenant.get(`/v2/journeys/${journeyId}/enrolments/${enrolmentId}`);
  if (status !== 200) throw new Error(text);
  return body.data.timeline;
}

/** Polls until it is true. */
export async function until<T>(ask: () => Promise<T>, isSo: (found: T) => boolean): Promise<T> {
  let found = await ask();
  for (let tries = 0; !isSo(found); tries++) {
    if (tries > 6000) throw new Error(`It never came to be: ${JSON.stringify(found)}`);
    await sleep(10);
    found = await ask();
  }
  return found;
}

/** The only enrolment of a journey, once the condition holds. */
export async function untilEnrolment(
  tenant: TenantClient,
  journeyId: string,
  isSo: (enrolment: ShownEnrolment) => boolean,
): Promise<ShownEnrolment> {
  const [found] = await until(
    () => enrolmentsOf(tenant, journeyId),
    ([first, ...others]) => first !== undefined && others.length === 0 && isSo(first),
  );
  return found as ShownEnrolment;
}

export const hasEnded = ({ state }: ShownEnrolment) => state !== 'active';
