import type { ConsentSource, TopicState } from '@rapport/contract';
import { type Cause, Topic } from '../../db/news.js';

/** A contact said something of a topic. */
interface TopicNews {
  contactId: string;
  topicId: string;
  state: TopicState;
  source: ConsentSource;
  /** When it was said: of a confirmation, when the form was sent. */
  at: string;
  /** It was said before, and came back with an address that had been erased. */
  isRestored: boolean;
  /** Of a change that a journey made. */
  cause?: Cause | undefined;
}

export const topicsChanged = new Topic<TopicNews>('what contacts said of topics');
