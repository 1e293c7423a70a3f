import { Topic } from '../../db/news.js';
import type { Change } from '../contacts/index.js';

/** What happened to an organization. */
export interface OrganizationNews {
  orgId: string;
  what: 'created' | 'changed';
  nameChanged: boolean;
  /** Properties that changed; for a new organization all of them. */
  changes: readonly Change[];
}

export const organizationsChanged = new Topic<OrganizationNews>('organizations');

/** A product user joined or left an organization. */
interface MembershipNews {
  orgId: string;
  userId: string;
  what: 'joined' | 'left';
}

export const membershipsChanged = new Topic<MembershipNews>('memberships');
