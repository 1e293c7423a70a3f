import type { DataValue, getWorkspaceHealth, listAlerts } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { dayMs, hourMs } from '../../db/tallies.js';
import { instantOf } from '../../lib/instant.js';
import { countRejectedLately } from '../email-versions/index.js';
import { hasEvents } from '../events/index.js';
import { countRefusedLately } from '../ingest/index.js';
import { countFaultsLately } from '../journeys/index.js';
import { countHeld, findPause, readFigures } from '../messages/index.js';
import { summarizeDomains } from '../sending/index.js';
import { countOverdue } from '../transactions/index.js';
import { countFailingOf } from '../webhooks/index.js';
import { selectMade } from './queries.js';
import { type Troubles, tellAttention } from './tell-attention.js';

/** The open alerts of a tenant. */
export type OpenAlerts = (tenantId: number) => Promise<DataValue<typeof listAlerts>[]>;

/** Short statements by indexes, all in flight at once: together they take about as long as one. */
export async function readHealth(
  db: Database,
  openAlerts: OpenAlerts,
  tenantId: number,
  now: string,
): Promise<DataValue<typeof getWorkspaceHealth>> {
  const [made, event, troubles] = await Promise.all([
    selectMade(db, tenantId),
    hasEvents(db, tenantId),
    readTroubles(db, openAlerts, tenantId, now),
  ]);
  const { contacts, emails: email, journeys: journey } = made;
  const domain = troubles.domains.approved > 0;
  return { setup: { domain, import: contacts, event, email, journey }, attention: tellAttention(troubles) };
}

async function readTroubles(db: Database, openAlerts: OpenAlerts, tenantId: number, now: string): Promise<Troubles> {
  const [pause, mail, held, domains, writes, webhooks, journeys, versions, calls, alerts] = await Promise.all([
    findPause(db, tenantId),
    mailOfTheDay(db, tenantId, now),
    countHeld(db, tenantId),
    summarizeDomains(db, tenantId),
    countOverdue(db, tenantId),
    countFailingOf(db, tenantId),
    countFaultsLately(db, tenantId),
    countRejectedLately(db, tenantId),
    countRefusedLately(db, tenantId),
    openAlerts(tenantId),
  ]);
  return { pause, mail, held, domains, writes, webhooks, journeys, versions, calls, alerts };
}

/** As in reports, where a message kept in the outbox was not sent. In whole hours, which need no look at messages. */
async function mailOfTheDay(db: Database, tenantId: number, now: string): Promise<Troubles['mail']> {
  const from = instantOf(Math.floor((Date.parse(now) - dayMs) / hourMs) * hourMs);
  const [figures] = await readFigures(db, tenantId, { kind: 'tenant' }, { from, to: null });
  return figures ? { sent: figures.sent, bounced: figures.hardBounced + figures.softBounced } : { sent: 0, bounced: 0 };
}
