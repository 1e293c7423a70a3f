// What can be changed about it: a code and its subjects, for those who offer a remedy.
import { keptReason } from '../../mail/transport.js';
import { selectEmailsByIds } from '../emails/index.js';
import type { LedgerRow } from '../messages/index.js';
import { selectApproved, selectUnverified } from '../sending/index.js';
import type { Case, Evidence } from './asked.js';

type Fact = NonNullable<Evidence['fact']>;

/** Of a message that did not leave. Suppressions and topics have evidence of their own. */
export function factOf({ state, reason, journeyId }: LedgerRow): { fact?: Fact } {
  if (state === 'sent' && reason === keptReason) return { fact: { code: 'noMailServer' } };
  if (state !== 'skipped' || journeyId === null) return {};
  if (reason === 'holdout' || reason === 'capped') return { fact: { code: reason, journeyId } };
  return {};
}

/** Whether the domain of the sender is what keeps a message back, or what makes mailboxes refuse it. */
export async function ofSender({ db, tenantId }: Case, { state, reason, emailId }: LedgerRow): Promise<Evidence[]> {
  const isRefused = state === 'skipped' && reason === 'noSender';
  if (!isRefused && state !== 'bounced') return [];
  const [email] = await selectEmailsByIds(db, tenantId, [emailId]);
  if (!email) return [];
  const domain = email.senderEmail.slice(email.senderEmail.lastIndexOf('@') + 1);
  const about = { at: null, holds: false, kind: 'mail' as const };
  if (isRefused && !(await selectApproved(db, tenantId, [domain])).has(domain)) {
    const text = `${domain}, the domain of the sender, is not approved for sending.`;
    return [{ ...about, text, fact: { code: 'senderNotApproved', domain } }];
  }
  if ((await selectUnverified(db, tenantId, [domain])).length === 0) return [];
  const text = `${domain}, the domain of the sender, is not verified: its DNS records were not found.`;
  return [{ ...about, text, fact: { code: 'senderNotVerified', domain } }];
}
