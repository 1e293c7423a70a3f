// What makes alerts open, for tests: figures as if mail, people or lists had made them, and the look that a worker takes.
import { pino } from 'pino';
import { bytes, sql } from '../src/db/sql.js';
import { AccountMail, StopLinks } from '../src/features/accounts/index.js';
import { type WatchNeeds, watchAll } from '../src/features/alerts/watch.js';
import { usualLimits } from '../src/features/messages/index.js';
import { type Clock, systemClock } from '../src/lib/clock.js';
import { randomBytes } from '../src/lib/random.js';
import { SecretBox } from '../src/lib/secret-box.js';
import { outboxTransport } from '../src/mail/outbox.js';
import type { Transport } from '../src/mail/transport.js';
import { unwatched } from '../src/work/queue.js';
import type { TenantClient, TestApp } from './app.js';
import { seedPassage } from './figures.js';
import { makeActive } from './journeys.js';

const hourMs = 3_600_000;

interface WatchOptions {
  clock?: Clock;
  box?: SecretBox;
  transport?: Transport;
}

/** What a worker has. Without a transport there is no mail server. */
export function watchNeeds(t: TestApp, options: WatchOptions = {}): WatchNeeds {
  const { clock = systemClock, box = new SecretBox(randomBytes(32)) } = options;
  const transport = options.transport ?? outboxTransport(async () => undefined);
  const log = pino({ level: 'silent' });
  const baseUrl = () => 'http://rapport.test';
  const mail = new AccountMail({ ...{ db: t.db, clock, log, box, baseUrl, transport }, wake: () => undefined });
  return { ...{ db: t.db, clock, log, baseUrl, mail, limits: usualLimits }, links: new StopLinks(box, 'alerts') };
}

export const look = (t: TestApp, options?: WatchOptions) => watchAll(watchNeeds(t, options));

/** Sends the mail that waits for a tenant. */
export async function sendMail({ mail }: WatchNeeds, tenantId: number): Promise<void> {
  await mail.queues[0]?.serve(tenantId, unwatched, new AbortController().signal);
}

/** The alerts of a tenant as the API shows them, newest first. */
export async function alertsOf(tenant: Pick<TenantClient, 'get'>, state?: 'open' | 'closed') {
  const { status, body, text } = await tenant.get(`/v2/alerts?pageSize=200${state ? `&state=${state}` : ''}`);
  if (status !== 200) throw new Error(text);
  return body.data as { alertId: string; kind: string; state: string; [field: string]: unknown }[];
}

export const kindsOf = async (tenant: Pick<TenantClient, 'get'>, state: 'open' | 'closed' = 'open') =>
  (await alertsOf(tenant, state)).map(({ kind }) => kind);

interface Mail {
  sent: number;
  hardBounced?: number;
  complained?: number;
}

/** Instead of what the last day had before. */
export async function setMail(
  t: TestApp,
  { tenantId }: { tenantId: number },
  mail: Mail,
  ago = '1 hour',
): Promise<void> {
  const { sent, hardBounced = 0, complained = 0 } = mail;
  await t.db.run(sql`delete from sending_tally where tenant_id = ${tenantId}`);
  await t.db.run(sql`
    insert into sending_tally (tenant_id, since, sent, delivered, hard_bounced, complained)
    values (${tenantId}, now() - ${ago}::interval, ${sent}, ${sent}, ${hardBounced}, ${complained})`);
}

/** The hour that it is now, and others by how many hours they are ago. */
const hourAgo = (hours: number, now = Date.now()) =>
  new Date((Math.floor(now / hourMs) - hours) * hourMs).toISOString();

/** An active journey, as if it had been so for a month, that this many entered in each of the last days; the latest first. */
export async function makeEntered(
  t: TestApp,
  tenant: TenantClient,
  days: readonly number[],
  change: Record<string, unknown> = {},
): Promise<string> {
  const id = await makeActive(tenant, change);
  await age(t, tenant, id, '30 days');
  for (const [day, entered] of days.entries()) if (entered > 0) await enterAgo(t, tenant, id, 24 * day + 12, entered);
  return id;
}

export async function age(t: TestApp, { tenantId }: TenantClient, journeyId: string, ago: string): Promise<void> {
  await t.db.run(sql`
    update journey set activated_at = now() - ${ago}::interval where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)}`);
}

export function enterAgo(t: TestApp, tenant: TenantClient, journeyId: string, hours: number, entered: number) {
  return seedPassage(t, tenant, journeyId, hourAgo(hours), { '': { entered } });
}

/** A static list with this many members at the start of days, the first of which is today, and now. */
export async function makeSized(
  t: TestApp,
  tenant: TenantClient,
  name: string,
  days: readonly number[],
  now: number,
): Promise<string> {
  const { body } = await tenant.post('/v2/lists', { name });
  const id: string = body.data.staticListId;
  await seedDays(t, tenant, id, days);
  await setSize(t, tenant, id, now);
  return id;
}

export async function seedDays(
  t: TestApp,
  tenant: TenantClient,
  listId: string,
  days: readonly number[],
): Promise<void> {
  await t.db.run(sql`
    insert into list_day (tenant_id, list_id, day, members)
    select ${tenant.tenantId}::bigint, ${bytes(listId)}::bytea, (now() at time zone 'UTC')::date - (n - 1)::integer, members
    from unnest(${days}::bigint[]) with ordinality d (members, n)`);
}

/** Members that a static list is counted to have. */
export function setSize(t: TestApp, tenant: TenantClient, listId: string, members: number): Promise<void> {
  return setCounter(t, tenant, `list_members:${listId}`, members);
}

export async function setCounter(
  t: TestApp,
  { tenantId }: TenantClient,
  counter: string,
  value: number,
): Promise<void> {
  await t.db.run(sql`delete from counter_delta where tenant_id = ${tenantId} and counter = ${counter}`);
  await t.db.run(sql`insert into counter_delta (tenant_id, counter, delta) values (${tenantId}, ${counter}, ${value})`);
}
