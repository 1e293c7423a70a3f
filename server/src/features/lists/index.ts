export { createList } from './create-list.js';
export { listEndpoints } from './routes.js';
