export {
  deleteMembershipsOf,
  insertMemberships,
  type Membership,
  memberCount,
  selectMemberships,
} from './queries.js';
export { requireOrganizations } from './require-organizations.js';
export { organizationEndpoints } from './routes.js';
