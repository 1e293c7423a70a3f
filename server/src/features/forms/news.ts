import { Topic } from '../../db/news.js';

/** A contact sent a form, and it counts: it was accepted, or it was pending and is confirmed now. */
interface SubmissionNews {
  formId: string;
  contactId: string;
  submissionId: string;
  /** When the form was sent. */
  at: string;
}

/** Told in the transaction that stores what the form changes: properties, topics and the list are there. */
export const submissionsAccepted = new Topic<SubmissionNews>('submissions of forms');
