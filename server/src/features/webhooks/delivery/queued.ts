import { Topic } from '../../../db/news.js';

/** So many calls wait once the transaction commits: whoever makes them may look. */
export const deliveriesQueued = new Topic<number>('deliveriesQueued');
