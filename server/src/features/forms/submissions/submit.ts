// What comes by a form: who may send it, what it says, whether a robot did, and what is stored of it. The rest follows by the tenant's queue.
import { formFieldNames, type RefusalReason } from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { newMessageUuid } from '../../../lib/ids.js';
import { type AddressHashes, selectFormTopics } from '../../consent/index.js';
import type { Language } from '../../messages/index.js';
import { findFirstDomain } from '../../sending/index.js';
import type { Acknowledger } from '../../transactions/index.js';
import type { PublicForm } from '../queries.js';
import { submissionWrite } from './applier.js';
import type { FormBounds } from './bounds.js';
import type { Proofs } from './proofs.js';
import { insertSubmission, type NewSubmission, type Proof } from './queries.js';
import { type Given, type ReadForm, readValues, type ValueFault } from './read-values.js';

export interface SubmitNeeds {
  db: Database;
  clock: Clock;
  acknowledger: Acknowledger;
  hashes: AddressHashes;
  proofs: Proofs;
  bounds: FormBounds;
  onSubmitted(outcome: 'taken' | RefusalReason): void;
}

/** A post, and what its sender sees of what came of it. */
interface Posted {
  tenantId: number;
  form: PublicForm;
  given: Given;
  language: Language;
}
export type Answer =
  | { what: 'done'; pending: boolean }
  | { what: 'faulty'; faults: Map<string, ValueFault> }
  /** Without a proof, or with one that is too old. */
  | { what: 'prove' }
  | { what: 'tooMany'; seconds: number };

export async function submit(needs: SubmitNeeds, posted: Posted): Promise<Answer> {
  const { tenantId, form, given } = posted;
  const read = readValues(form.fields, given);
  const asks = await needsAnswer(needs, posted);
  const done: Answer = { what: 'done', pending: asks };
  if (given(formFieldNames.honeypot)) {
    await refuse(needs, posted, read, 'honeypot');
    return done;
  }
  if (read.faults.size > 0) return { what: 'faulty', faults: read.faults };
  const byMail = isByMail(given) && (await canAskByMail(needs.db, tenantId, form));
  const proof = byMail ? null : await proofOf(needs, posted);
  if (proof === 'missing' || proof === 'old') return { what: 'prove' };
  const hash = (await needs.hashes.of(needs.db, tenantId))(read.email);
  const seconds = proof === 'wrong' ? 0 : await needs.bounds.address(tenantId, hash);
  if (seconds > 0) return { what: 'tooMany', seconds };
  const isTaken = proof !== 'wrong' && (await take(needs, posted, read, { byMail, asks, proof }));
  if (!isTaken) {
    await refuse(needs, posted, read, 'proof');
    return { what: 'prove' };
  }
  needs.onSubmitted('taken');
  return byMail ? { what: 'done', pending: true } : done;
}

function isByMail(given: Given): boolean {
  return given(formFieldNames.byMail) === '1' || given(formFieldNames.byMail) === true;
}

/** Whether a mail asks, as far as the form says: what was known of the address must not show. */
async function needsAnswer({ db }: SubmitNeeds, { tenantId, form }: Posted): Promise<boolean> {
  const topics = await selectFormTopics(db, tenantId, form.topicIds);
  return [...topics.values()].some(({ doubleOptIn }) => doubleOptIn);
}

/** Where there is nothing to ask with, only a proof helps. */
export async function canAskByMail(db: Database, tenantId: number, form: PublicForm): Promise<boolean> {
  if ((await findFirstDomain(db, tenantId)) !== undefined) return true;
  const topics = await selectFormTopics(db, tenantId, form.topicIds);
  return topics.size > 0 && [...topics.values()].every(({ confirmEmailId }) => confirmEmailId !== null);
}

async function proofOf(
  { proofs }: SubmitNeeds,
  { tenantId, form, given }: Posted,
): Promise<Proof | 'missing' | 'old' | 'wrong'> {
  const answer = given(formFieldNames.proof);
  if (answer === undefined || answer === null || answer === '') return 'missing';
  return proofs.check(tenantId, form.formId, answer);
}

function newSubmission(
  { clock }: SubmitNeeds,
  { form, language }: Posted,
  { values, email, emailField }: ReadForm,
): Omit<NewSubmission, 'outcome' | 'reason' | 'byMail'> {
  const { formId, topicIds, listId, consentText: text } = form;
  return {
    ...{ submissionId: newMessageUuid(), formId, at: clock.now().toISOString(), address: email || null },
    ...{ values, emailField, text, topicIds, listId, language },
  };
}

/** False: the proof was used before. */
async function take(
  needs: SubmitNeeds,
  posted: Posted,
  read: ReadForm,
  { byMail, asks, proof }: { byMail: boolean; asks: boolean; proof: Proof | null },
): Promise<boolean> {
  const { tenantId } = posted;
  const outcome = byMail || asks ? 'pending' : 'accepted';
  const submission: NewSubmission = { ...newSubmission(needs, posted, read), outcome, reason: null, byMail };
  return needs.db.transaction(async (tx) => {
    if (!(await insertSubmission(tx, tenantId, submission, proof))) return false;
    await needs.acknowledger.enqueue(tx, [submissionWrite(tenantId, 'submission', submission.submissionId)]);
    return true;
  });
}

/** It is shown to the author, and does nothing else. */
async function refuse(needs: SubmitNeeds, posted: Posted, read: ReadForm, reason: RefusalReason): Promise<void> {
  const submission = { ...newSubmission(needs, posted, read), outcome: 'refused', reason, byMail: false } as const;
  await insertSubmission(needs.db, posted.tenantId, submission, null);
  needs.onSubmitted(reason);
}
