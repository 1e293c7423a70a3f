export { createList } from './create-list.js';
export { eraseMemberships, memberEndpoints } from './members/routes.js';
export { listEndpoints } from './routes.js';
