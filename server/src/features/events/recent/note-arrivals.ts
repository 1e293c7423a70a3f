// What every run that stores events records, so that the newest events need not be searched for or counted: the keys of its newest events
// of each name, and how many there were of each name and day.
import type { Transaction } from '../../../db/database.js';
import type { EventNews } from '../news.js';
import { type ArrivalRow, type DeltaRow, insertArrivals, mostKept } from './queries.js';

/** Collects events as they are stored, and writes the record in one statement at the end. */
export class Arrivals {
  private readonly byName = new Map<string, ArrivedName>();

  add({ eventName, eventDate, eventNo, contactId }: EventNews): void {
    const name = this.byName.get(eventName) ?? { newest: [], oldestAt: 0, days: new Map() };
    if (name.newest.length === 0) this.byName.set(eventName, name);
    keepNewest(name, { eventNo, contactId, eventDate });
    count(name.days, eventDate);
  }

  async store(tx: Transaction, tenantId: number, now: string): Promise<void> {
    if (this.byName.size === 0) return;
    const arrivals: ArrivalRow[] = [];
    const deltas: DeltaRow[] = [];
    for (const [eventName, { newest, days }] of this.byName) {
      arrivals.push({ eventName, keys: newest });
      for (const [day, counted] of days) deltas.push({ eventName, day, ...counted });
    }
    await insertArrivals(tx, tenantId, now, arrivals, deltas);
  }
}

interface EventKey {
  eventNo: number;
  contactId: string;
  eventDate: string;
}

interface ArrivedName {
  /** A ring once it is full: `oldestAt` is the next to be replaced. */
  newest: EventKey[];
  oldestAt: number;
  days: Map<string, { events: number; firstAt: string; lastAt: string }>;
}

// Events of a run come in the order of their numbers.
function keepNewest(name: ArrivedName, key: EventKey): void {
  if (name.newest.length < mostKept) {
    name.newest.push(key);
    return;
  }
  name.newest[name.oldestAt] = key;
  name.oldestAt = (name.oldestAt + 1) % mostKept;
}

function count(days: ArrivedName['days'], at: string): void {
  const day = at.slice(0, 10);
  const counted = days.get(day);
  if (!counted) {
    days.set(day, { events: 1, firstAt: at, lastAt: at });
    return;
  }
  counted.events++;
  if (at < counted.firstAt) counted.firstAt = at;
  if (at > counted.lastAt) counted.lastAt = at;
}
