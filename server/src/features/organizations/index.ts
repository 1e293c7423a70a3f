export { OrganizationBook } from './organization-book.js';
export {
  deleteMembershipsOf,
  insertMemberships,
  type Membership,
  memberCount,
  selectMemberships,
  selectUnknown as unknownOrganizations,
} from './queries.js';
export { requireOrganizations } from './require-organizations.js';
export { organizationEndpoints } from './routes.js';
