import { Topic } from '../../../db/news.js';

/** How many calls wait once the transaction commits, so that deliverers can be woken. */
export const deliveriesQueued = new Topic<number>('deliveriesQueued');
