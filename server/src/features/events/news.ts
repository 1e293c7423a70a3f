import { Topic } from '../../db/news.js';
import type { PlacedEvent } from './plan-events.js';

/** An event that was stored: whose it is, its name and its properties. There is no news about repeats. */
export type EventNews = Readonly<PlacedEvent> & {
  /** For an event that a journey emitted: how many journey steps in a row led to it, and which enrolment emitted it. */
  readonly chain?: number;
  readonly fromEnrolment?: string;
};

export const eventsStored = new Topic<EventNews>('events');
