import { Topic } from '../../db/news.js';
import type { PlacedEvent } from './plan-events.js';

/** An event that was stored: whose it is, what it is called, and what came with it. Repeats are no news. */
export type EventNews = Readonly<PlacedEvent> & {
  /** For an event that a journey emitted: how many steps of journeys led to it in a row, and which enrolment emitted it. */
  readonly chain?: number;
  readonly fromEnrolment?: string;
};

export const eventsStored = new Topic<EventNews>('events');
