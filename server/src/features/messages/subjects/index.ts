// What filters can ask about mail.
import type { Subject } from '../../filter-language/index.js';
import { type JourneyCheck, marketingSubject } from './marketing.js';
import { unsubscribedSubject } from './unsubscribed.js';

export { type JourneyCheck, marketingKeys } from './marketing.js';

/** A filter that names a journey is accepted only if `isJourney` confirms that it exists. */
export function messageSubjectsWith(isJourney: JourneyCheck): readonly Subject[] {
  return [marketingSubject(isJourney), unsubscribedSubject];
}
