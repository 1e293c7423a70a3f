// What can be done about a fact, and where. Pure.
import { remedies as t } from '../../texts/why.ts';
import type { WhyAnswer } from './why-api.ts';

export type Fact = NonNullable<WhyAnswer['evidence'][number]['fact']>;

interface RemedyPlace {
  label: string;
  /** Where it is done; undefined: right here. */
  to?: string;
  isForAdmins?: boolean;
}

export function remedyOf(fact: Fact, contactId: string): RemedyPlace {
  switch (fact.code) {
    case 'addressSuppressed':
      return { label: t.lift };
    case 'sendingPaused':
      return { label: t.resume };
    case 'notSubscribed':
      return { label: t.topics, to: `/contacts/${contactId}/topics` };
    case 'noMailServer':
      return { label: t.mailServer, to: '/settings/transport', isForAdmins: true };
    case 'senderNotApproved':
      return { label: t.addDomain(fact.domain ?? ''), to: '/settings/domains', isForAdmins: true };
    case 'senderNotVerified':
      return { label: t.publish(fact.domain ?? ''), to: '/settings/domains', isForAdmins: true };
    case 'journeyNotActive':
      return { label: t.activate, to: `/journeys/${fact.journeyId}` };
    case 'journeyPaused':
      return { label: t.resumeJourney, to: `/journeys/${fact.journeyId}` };
    case 'conditionFails': {
      const query = new URLSearchParams({ contact: contactId, condition: fact.path ?? '' });
      return { label: t.condition, to: `/lists/dynamic/${fact.dynamicListId}/filter?${query}` };
    }
    case 'notInList':
      return { label: t.addToList, to: `/lists/static/${fact.staticListId}` };
    case 'neverSent':
      return { label: t.send, to: `/sends/new?email=${fact.emailId}` };
    case 'holdout':
      return { label: t.holdout, to: `/journeys/${fact.journeyId}/settings` };
    case 'capped':
      return { label: t.caps, to: `/journeys/${fact.journeyId}/settings` };
  }
}
