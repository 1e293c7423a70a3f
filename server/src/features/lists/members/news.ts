import { type Cause, Topic } from '../../../db/news.js';

/** A contact became a member of a static list, or is one no longer. */
interface MemberNews {
  listId: string;
  contactId: string;
  what: 'joined' | 'left';
  /** Of a change that a journey made. */
  cause?: Cause | undefined;
}

export const membersChanged = new Topic<MemberNews>('list members');
