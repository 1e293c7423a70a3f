export type { Place } from './place.js';
export {
  addToMonths,
  type MonthTally,
  marketingEvents,
  type Owner,
  productEvents,
  selectPage,
  selectTimelineAfter,
  type TimelineKey,
} from './queries.js';
export { readTimeline } from './read-timeline.js';
