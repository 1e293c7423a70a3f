// "Why did this person (not) get this?" Asks the features that know, and makes one sentence of what they say.
import type { WhyNeeds } from './asked.js';
import { whyEndpoints } from './routes.js';

export function why(needs: WhyNeeds) {
  return { endpoints: whyEndpoints(needs) };
}
