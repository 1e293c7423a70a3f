import { Topic } from '../../../db/news.js';

/** A contact began to match a dynamic list, or stopped. The first members of a new or edited list are not news. */
export interface AudienceNews {
  listId: string;
  contactId: string;
  what: 'joined' | 'left';
}

export const audiencesChanged = new Topic<AudienceNews>('audiences');

/**
 * A contact is in a list, or no longer, because the list was made or edited. That is not joining or leaving, but membership has changed.
 */
export interface RedrawnNews {
  listId: string;
  contactId: string;
}

export const audiencesRedrawn = new Topic<RedrawnNews>('redrawn audiences');
