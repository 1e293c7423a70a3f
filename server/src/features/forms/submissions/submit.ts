// A post to a form: whether it may be sent, what it says, whether a robot sent it, and what is stored. The tenant's queue does the rest.
import { formFieldNames, type RefusalReason } from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { newMessageUuid } from '../../../lib/ids.js';
import { GroupCommit } from '../../../work/group-commit.js';
import type { AddressHashes } from '../../consent/index.js';
import type { Language } from '../../messages/index.js';
import { findFirstDomain } from '../../sending/index.js';
import type { Acknowledger } from '../../transactions/index.js';
import type { PublicForm } from '../queries.js';
import { submissionWrite } from './applier.js';
import type { FormBounds } from './bounds.js';
import type { Proofs } from './proofs.js';
import { insertSubmissions, type NewSubmission, type Proof, type Taking } from './queries.js';
import { type Given, type ReadForm, readValues, type ValueFault } from './read-values.js';

export interface SubmitNeeds {
  db: Database;
  clock: Clock;
  taking: SubmissionGroups;
  hashes: AddressHashes;
  proofs: Proofs;
  bounds: FormBounds;
  onSubmitted(outcome: 'taken' | RefusalReason): void;
}

type SubmissionGroups = GroupCommit<Taking & { tenantId: number }, boolean>;

/** Submissions that come at the same time are stored in one commit, each with its place in the tenant's queue. */
export function submissionGroups(db: Database, acknowledger: Acknowledger): SubmissionGroups {
  return new GroupCommit({
    keyOf: ({ tenantId }) => tenantId,
    sizeOf: ({ submission: { values, text } }) => JSON.stringify(values).length + text.length,
    commit: (takings) => {
      const tenantId = takings[0]?.tenantId as number;
      return db.transaction(async (tx) => {
        const stored = await insertSubmissions(tx, tenantId, takings);
        const ids = takings.map(({ submission }) => submission.submissionId);
        const kept = ids.filter((id) => stored.has(id));
        await acknowledger.enqueue(
          tx,
          kept.map((id) => submissionWrite(tenantId, 'submission', id)),
        );
        return ids.map((id) => stored.has(id));
      });
    },
  });
}

/** A post, and what its sender sees of what came of it. */
interface Posted {
  tenantId: number;
  form: PublicForm;
  given: Given;
  language: Language;
}
export type SubmitAnswer =
  | { what: 'done'; pending: boolean }
  | { what: 'faulty'; faults: Map<string, ValueFault> }
  /** Without a proof, or with one that is too old. */
  | { what: 'prove' }
  | { what: 'tooMany'; seconds: number };

export async function submit(needs: SubmitNeeds, posted: Posted): Promise<SubmitAnswer> {
  const { tenantId, form, given } = posted;
  const read = readValues(form.fields, given);
  // As far as the form says: what was known of the address must not show.
  const asks = form.askings.some(({ doubleOptIn }) => doubleOptIn);
  const done: SubmitAnswer = { what: 'done', pending: asks };
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

/** Where there is nothing to ask with, only a proof helps. */
export async function canAskByMail(db: Database, tenantId: number, form: PublicForm): Promise<boolean> {
  if ((await findFirstDomain(db, tenantId)) !== undefined) return true;
  return form.askings.length > 0 && form.askings.every(({ confirmEmailId }) => confirmEmailId !== null);
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
  return needs.taking.add({ tenantId, submission, proof });
}

/** It is shown to the author, and does nothing else. */
async function refuse(needs: SubmitNeeds, posted: Posted, read: ReadForm, reason: RefusalReason): Promise<void> {
  const submission = { ...newSubmission(needs, posted, read), outcome: 'refused', reason, byMail: false } as const;
  await insertSubmissions(needs.db, posted.tenantId, [{ submission, proof: null }]);
  needs.onSubmitted(reason);
}
