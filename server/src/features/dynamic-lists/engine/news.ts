import { Topic } from '../../../db/news.js';

/** A contact came to match a dynamic list, or does so no longer. Whom a new or edited list starts with is no news. */
export interface AudienceNews {
  listId: string;
  contactId: string;
  what: 'joined' | 'left';
}

export const audiencesChanged = new Topic<AudienceNews>('audiences');
