// What becomes of a message that a mail server did not take: it bounced, is tried again later, or is given up.
import { random } from '../../../lib/random.js';
import { judgeReply } from '../../../mail/bounces/replies.js';
import { nextAttemptAt } from '../../../mail/next-attempt.js';
import type { MailNotSent } from '../../../mail/transport.js';
import { type Outcome, outcomeOf } from './outcome.js';
import type { Prepared } from './prepare.js';

export function afterFailure(
  { claimed, mail, kept, addressHash }: Prepared,
  failure: MailNotSent,
  at: string,
  retryHours: number,
): Outcome {
  const { tenantId, to } = mail;
  const { messageId, attempts, firstTriedAt } = claimed;
  const { reply, code, outlook } = failure;
  if (outlook === 'refused') {
    const { suppresses, status } = judgeReply(code ?? 550, reply);
    const reason = reply.startsWith(status) || /^\d{3}/.test(reply) ? reply : `${status} ${reply}`;
    const suppressed = suppresses ? { address: to, hash: addressHash } : null;
    return outcomeOf(tenantId, messageId, 'refused', at, { ...kept, reply, reason, suppresses: suppressed });
  }
  const limits = { longestHours: retryHours };
  const next = nextAttemptAt(attempts + 1, Date.parse(firstTriedAt), Date.parse(at), random, limits);
  const { senderDomain, topicId } = kept;
  if (next !== null) {
    const dueAt = new Date(next).toISOString();
    return outcomeOf(tenantId, messageId, 'later', at, { reply, dueAt, senderDomain, topicId });
  }
  const reason = `Given up after ${attempts + 1} attempts in ${retryHours} hours. The last: ${reply}`;
  return outcomeOf(tenantId, messageId, 'failed', at, { reply, reason, senderDomain, topicId });
}
