import { copyField } from '../../db/copy.js';
import type { Transaction } from '../../db/database.js';
import { monthOf } from '../../lib/month.js';
import type { PlacedEvent } from './plan-events.js';
import { copyEvents } from './queries.js';
import { addToMonths, type MonthTally, productEvents } from './timeline/index.js';

/** Stores events and counts them. Answers the months they are in. */
export async function storeEvents(
  tx: Transaction,
  tenantId: number,
  events: readonly PlacedEvent[],
): Promise<ReadonlySet<number>> {
  const months = new Set<number>();
  if (events.length === 0) return months;
  const tallies = new Map<string, MonthTally>();
  let rows = '';
  for (const event of events) {
    const { contactId, eventDate } = event;
    rows += copyRow(tenantId, event);
    const month = monthOf(eventDate);
    months.add(month);
    const key = contactId + month;
    const tally = tallies.get(key);
    if (tally) tally.events++;
    else tallies.set(key, { contactId, month, events: 1 });
  }
  await copyEvents(tx, rows);
  await addToMonths(tx, productEvents, tenantId, [...tallies.values()]);
  return months;
}

// Ids, dates and numbers have nothing to escape.
function copyRow(tenantId: number, e: PlacedEvent): string {
  return `${tenantId}\t${e.contactId}\t${e.eventDate}\t${e.eventNo}\t${copyField(e.eventName)}\t${copyField(e.userId)}\t${copyField(e.orgId)}\t${copyField(e.properties)}\n`;
}
