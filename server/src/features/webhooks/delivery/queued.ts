import { Topic } from '../../../db/news.js';

/** How many calls wait once the transaction commits: deliverers may look. */
export const deliveriesQueued = new Topic<number>('deliveriesQueued');
