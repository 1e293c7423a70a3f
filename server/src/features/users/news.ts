import { Topic } from '../../db/news.js';
import type { Change } from '../contacts/index.js';

/** What happened to a product user. */
export interface UserNews {
  userId: string;
  contactId: string;
  what: 'created' | 'changed' | 'deleted';
  /** Properties that changed; for a new user all of them. */
  changes: readonly Change[];
  /** Keys that writes removed, whether they existed or not: older values must not bring them back. */
  removed: Readonly<Record<string, null>>;
}

export const usersChanged = new Topic<UserNews>('users');
