import { Topic } from '../../db/news.js';
import type { Change } from '../contacts/index.js';

/** What became of an organization. */
export interface OrganizationNews {
  orgId: string;
  what: 'created' | 'changed';
  nameChanged: boolean;
  /** Properties that have another value now; of a new organization all that it has. */
  changes: readonly Change[];
}

export const organizationsChanged = new Topic<OrganizationNews>('organizations');

/** A product user became a member of an organization, or is one no longer. */
interface MembershipNews {
  orgId: string;
  userId: string;
  what: 'joined' | 'left';
}

export const membershipsChanged = new Topic<MembershipNews>('memberships');
