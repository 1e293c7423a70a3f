import { type Cause, Topic } from '../../../db/news.js';

/** A contact joined or left a static list. */
interface MemberNews {
  listId: string;
  contactId: string;
  what: 'joined' | 'left';
  /** Set if a journey made the change. */
  cause?: Cause | undefined;
}

export const membersChanged = new Topic<MemberNews>('list members');
