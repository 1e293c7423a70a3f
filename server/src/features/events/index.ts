import type { Database } from '../../db/database.js';
import { inSteps } from '../../work/chores.js';
import type { Acknowledger } from '../transactions/index.js';
import { eventApplier } from './apply-events.js';
import { eraseEvents } from './erase-events.js';
import { KeySweeper } from './event-keys.js';
import { eventSection } from './export-events.js';
import { MonthKeeper, Retention } from './months/index.js';
import { foldEventDeltas } from './names/queries.js';
import { eventEndpoints } from './routes.js';

export { eventWriteKind } from './apply-events.js';
export { EventIds } from './event-keys.js';
export {
  anonymizeMarketing,
  intoMarketing,
  judgeMarketing,
  marketingActivityTable,
  nextMarketingNos,
} from './marketing/queries.js';
export { selectNamedEvents, selectNewestNamed, selectWhoHad } from './named/queries.js';
export { type EventNews, eventsStored } from './news.js';
export { storeOwnEvents } from './own-events.js';
export { EventRefusal, eventNumber, type People, type PlacedEvent, placeEvent } from './plan-events.js';
export { eventFloorTable, eventTable, hasEvents, holdFloor, selectKnownNames } from './queries.js';
export { type EventItem, packProperties, readEvent } from './read-event.js';
export { EventStore } from './store-events.js';
export {
  addToMonths,
  type MonthTally,
  marketingEvents,
  type Owner,
  type Place,
  productEvents,
  readTimeline,
  selectPage,
  selectTimelineAfter,
  type TimelineKey,
} from './timeline/index.js';

interface EventNeeds {
  db: Database;
  acknowledger: Acknowledger;
  /** How long events are kept; forever by default. */
  keptDays: number | undefined;
}

const hourMs = 3_600_000;

/** `onMonths` is called with the months in which events were stored. */
export function events({ db, acknowledger, keptDays }: EventNeeds) {
  let wakeKeeper = () => {};
  const months = new MonthKeeper(db.background, () => wakeKeeper());
  const retention = new Retention(db.background, keptDays);
  const keys = new KeySweeper(db.background);
  const onMonths = (stored: Iterable<number>) => months.note(stored);
  return {
    endpoints: eventEndpoints(db, acknowledger),
    appliers: [eventApplier(onMonths)],
    erasers: [eraseEvents],
    exporters: [eventSection],
    // Separate from the keeper: under a steady backfill, making every month takes long, and old ones must be dropped meanwhile.
    chores: [
      {
        name: 'months of events',
        everyMs: hourMs,
        atStart: true,
        run: (signal: AbortSignal) => months.keep(signal),
        onStart: (wake: () => void) => {
          wakeKeeper = wake;
        },
      },
      {
        name: 'retention of events',
        everyMs: hourMs,
        atStart: true,
        run: (signal: AbortSignal) => retention.apply(signal),
      },
      {
        name: 'counts of event names',
        everyMs: 10_000,
        run: (signal: AbortSignal) => inSteps((atMost) => foldEventDeltas(db.background, atMost), signal),
      },
      { name: 'event keys', everyMs: 60_000, run: () => keys.sweep() },
    ],
    onMonths,
  };
}
