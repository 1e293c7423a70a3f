export { MonthKeeper } from './keep-months.js';
export { Retention } from './retention.js';
