export { eventApplier, eventWriteKind } from './apply-events.js';
export { eraseEvents } from './erase-events.js';
export { EventIds, KeySweeper } from './event-keys.js';
export { MonthKeeper, Retention } from './months/index.js';
export { EventRefusal, eventNumber, type People, type PlacedEvent, placeEvent } from './plan-events.js';
export { holdFloor } from './queries.js';
export { type EventItem, readEvent } from './read-event.js';
export { eventEndpoints } from './routes.js';
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
} from './timeline/index.js';
