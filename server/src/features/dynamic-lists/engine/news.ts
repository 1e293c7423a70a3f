import { Topic } from '../../../db/news.js';

/** A contact came to match a dynamic list, or does so no longer. Whom a new or edited list starts with is no news. */
export interface AudienceNews {
  listId: string;
  contactId: string;
  what: 'joined' | 'left';
}

export const audiencesChanged = new Topic<AudienceNews>('audiences');

/**
 * A contact is in a list, or no longer, because the list was made or edited. That is not joining or leaving, but the answer to who is in
 * the list has changed.
 */
export interface RedrawnNews {
  listId: string;
  contactId: string;
}

export const audiencesRedrawn = new Topic<RedrawnNews>('redrawn audiences');
