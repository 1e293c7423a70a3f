// Requests about people in journeys.
import type { Things } from './tenant-things.js';

type Request = (of: Things, own: Things) => { path: Record<string, string>; body?: unknown };

export const enrolmentCases: Record<string, Request[]> = {
  listEnrolments: [(of) => ({ path: { id: of.pausedId } })],
  getEnrolment: [
    (of) => ({ path: { id: of.pausedId, enrolmentId: of.enrolmentId } }),
    (of, own) => ({ path: { id: own.pausedId, enrolmentId: of.enrolmentId } }),
  ],
  listContactJourneys: [(of) => ({ path: { id: of.contactId } })],
  enrollContacts: [
    (of) => ({ path: { id: of.activeId }, body: { contactIds: [of.contactId] } }),
    (of, own) => ({ path: { id: own.activeId }, body: { contactIds: [of.contactId] } }),
  ],
  takeOutEnrolment: [
    (of) => ({ path: { id: of.waitingId, enrolmentId: of.waiterId } }),
    (of, own) => ({ path: { id: own.waitingId, enrolmentId: of.waiterId } }),
  ],
  skipEnrolmentWait: [
    (of) => ({ path: { id: of.waitingId, enrolmentId: of.waiterId }, body: { stepId: 'wait' } }),
    (of, own) => ({ path: { id: own.waitingId, enrolmentId: of.waiterId }, body: { stepId: 'wait' } }),
  ],
};
