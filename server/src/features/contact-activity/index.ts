export { activityEndpoints } from './routes.js';
