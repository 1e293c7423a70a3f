import { Topic } from '../../db/news.js';
import type { Change } from '../contacts/index.js';

/** What became of a product user. */
export interface UserNews {
  userId: string;
  contactId: string;
  what: 'created' | 'changed' | 'deleted';
  /** Properties that have another value now; of a new user all that it has. */
  changes: readonly Change[];
  /** Keys that writes removed, whether they were there or not: what is older must not bring them back. */
  removed: Readonly<Record<string, null>>;
}

export const usersChanged = new Topic<UserNews>('users');
