import { Topic } from '../../../db/news.js';

/** A contact came to match a dynamic list, or does so no longer. Whom a new or edited list starts with is no news. */
export interface AudienceNews {
  listId: string;
  contactId: string;
  what: 'joined' | 'left';
}

export const audiencesChanged = new Topic<AudienceNews>('audiences');

/**
 * A contact is in a list, or no longer, because the list was made or edited: it has not joined or left, but whoever asks who is in the
 * list gets another answer.
 */
export interface RedrawnNews {
  listId: string;
  contactId: string;
}

export const audiencesRedrawn = new Topic<RedrawnNews>('redrawn audiences');
