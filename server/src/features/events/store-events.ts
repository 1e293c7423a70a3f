import { copyField } from '../../db/copy.js';
import type { Transaction } from '../../db/database.js';
import { monthOf } from '../../lib/month.js';
import { together } from '../../lib/together.js';
import { noteNames } from './event-names.js';
import { type EventNews, eventsStored } from './news.js';
import { copyEvents } from './queries.js';
import { Arrivals } from './recent/index.js';
import { addToMonths, type MonthTally, productEvents } from './timeline/index.js';

/** Takes events in any number of portions, and counts them all at the end. */
export class EventStore {
  private readonly tallies = new Map<string, MonthTally>();
  private readonly arrivals = new Arrivals();
  private readonly copying: Promise<void>[] = [];
  private readonly portions: (readonly EventNews[])[] = [];

  constructor(
    private readonly tx: Transaction,
    private readonly tenantId: number,
  ) {}

  /** Runs `work`, which adds events, and waits until they are stored. The first error counts: it caused the others. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const [worked] = await Promise.allSettled([work()]);
    await together(this.copying);
    if (worked.status === 'rejected') throw worked.reason;
    return worked.value;
  }

  /** Sends events to the database. Does not wait: the next portion is read while the database stores this one. */
  add(events: readonly EventNews[]): void {
    if (events.length === 0) return;
    this.portions.push(events);
    let rows = '';
    for (const event of events) {
      rows += copyRow(this.tenantId, event);
      this.count(event.contactId, monthOf(event.eventDate));
      this.arrivals.add(event);
    }
    this.send(copyEvents(this.tx, rows));
  }

  /** Something that is on its way to the database. */
  send(copying: Promise<void>): void {
    // `run` reports the error. Without a listener here, a lost connection would end the process.
    copying.catch(() => undefined);
    this.copying.push(copying);
  }

  private count(contactId: string, month: number): void {
    const key = contactId + month;
    const tally = this.tallies.get(key);
    if (tally) tally.events++;
    else this.tallies.set(key, { contactId, month, events: 1 });
  }

  /** Counts and announces the events. Returns their months. */
  async finish(now: string): Promise<ReadonlySet<number>> {
    const tallies = [...this.tallies.values()];
    await together([
      tallies.length > 0 && addToMonths(this.tx, productEvents, this.tenantId, tallies),
      this.arrivals.store(this.tx, this.tenantId, now),
      noteNames(this.tx, this.tenantId, this.portions),
      eventsStored.tell(this.tx, this.tenantId, now, () => this.portions.flat()),
    ]);
    return new Set(tallies.map(({ month }) => month));
  }
}

// Ids, dates and numbers need no escaping.
function copyRow(tenantId: number, e: EventNews): string {
  return `${tenantId}\t${e.contactId}\t${e.eventDate}\t${e.eventNo}\t${copyField(e.eventName)}\t${copyField(e.userId)}\t${copyField(e.orgId)}\t${copyField(e.properties)}\n`;
}
