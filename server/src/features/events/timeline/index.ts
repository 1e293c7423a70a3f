export type { Place } from './place.js';
export {
  addToMonths,
  type MonthTally,
  marketingEvents,
  type Owner,
  productEvents,
  type Source,
  selectPage,
} from './queries.js';
export { readTimeline, type Window } from './read-timeline.js';
