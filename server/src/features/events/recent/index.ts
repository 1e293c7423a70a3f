export { Arrivals } from './note-arrivals.js';
export { forgetArrivals, forgetMonths, mostKept, selectRecent } from './queries.js';
export { readRecent } from './read-recent.js';
