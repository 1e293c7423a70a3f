import * as contract from '@rapport/contract';
import { isLockTimeout } from '../../db/connect.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { isAssetId, isContactId } from '../../lib/ids.js';
import { parseInstant } from '../../lib/instant.js';
import { actorOf } from '../audit/index.js';
import { parseEmail } from '../contacts/index.js';
import { answerOnce } from '../idempotency/index.js';
import { readSending, resumeSending } from './health/health-book.js';
import { selectMessages } from './ledger/list/queries.js';
import { cancelMessage, readMessage, readOutbox, readOutboxMessage } from './ledger/read-message.js';
import { messageGroups, queueBatch, queueMessage, readWanted } from './ledger/send-messages.js';
import { listRecipients } from './recipients/list-recipients.js';
import { listSuppressions } from './suppressions/list-suppressions.js';
import { type SuppressionNeeds, suppress, unsuppress } from './suppressions/suppress.js';

interface RouteNeeds extends SuppressionNeeds {
  now: () => string;
  /** Called when there are messages to send. */
  wake(): void;
}

export function messageEndpoints(needs: RouteNeeds): Endpoint[] {
  return [...ledgerEndpoints(needs), ...suppressionEndpoints(needs)];
}

function ledgerEndpoints({ db, now, wake }: RouteNeeds): Endpoint[] {
  const groups = messageGroups(db);
  return [
    endpoint(contract.sendMessage, async (call) => {
      const { tenantId } = call.caller;
      // Without an idempotency key, only the message is stored, in a group commit with others, which must not wait for a lock.
      const whole = () => answerOnce(db, call, (tx) => queueMessage(tx, tenantId, call.body));
      const answer = await (call.idempotency ? whole() : queueAtOnce(groups, tenantId, call.body).catch(orElse(whole)));
      if (isSoon(call.body, now())) wake();
      return answer;
    }),
    endpoint(contract.sendMessages, async (call) => {
      const { tenantId } = call.caller;
      const answer = await answerOnce(db, call, (tx) => queueBatch(tx, tenantId, call.body.messages));
      if (call.body.messages.some((message) => isSoon(message, now()))) wake();
      return answer;
    }),
    endpoint(contract.listMessages, ({ caller, query }) => {
      const { contactId, email, emailId, journeyId, enrolmentId, state, kept, startTime, endTime } = query;
      const address = email === undefined ? undefined : parseEmail(email);
      // An id that no contact, enrolment or asset can have matches no message.
      const isPossible =
        [contactId, enrolmentId].every((id) => id === undefined || isContactId(id)) &&
        (email === undefined || address !== undefined) &&
        [emailId, journeyId].every((id) => id === undefined || isAssetId(id));
      if (!isPossible) return Promise.resolve({ rows: [], total: 0 });
      const ids = { contactId, emailId, journeyId, enrolmentId };
      const filter = { ...ids, email: address, states: state, kept, startTime, endTime };
      return selectMessages(db, caller.tenantId, filter, pageOf(query));
    }),
    endpoint(contract.listRecipients, async ({ caller, params, query }) => ({
      data: await listRecipients(db, caller.tenantId, params.id, query),
    })),
    endpoint(contract.getMessage, async ({ caller, params }) => ({
      data: await readMessage(db, caller.tenantId, params.messageId),
    })),
    endpoint(contract.listOutbox, ({ caller, query }) => readOutbox(db, caller.tenantId, pageOf(query))),
    endpoint(contract.getOutboxMessage, async ({ caller, params }) => ({
      data: await readOutboxMessage(db, caller.tenantId, params.messageId),
    })),
    endpoint(contract.cancelMessage, (call) =>
      answerOnce(db, call, (tx) => cancelMessage(tx, call.caller.tenantId, call.params.messageId)),
    ),
  ];
}

// Milliseconds. The sender polls every second by the database's clock, which may be ahead of ours.
const soonMs = 60_000;

/** Whether to wake the sender now. It finds later messages by itself. */
function isSoon(message: unknown, now: string): boolean {
  const sendAt = (message as { sendAt?: unknown } | null)?.sendAt;
  const at = typeof sendAt === 'string' ? parseInstant(sendAt) : undefined;
  return at === undefined || Date.parse(at) - Date.parse(now) <= soonMs;
}

async function queueAtOnce(groups: ReturnType<typeof messageGroups>, tenantId: number, body: contract.MessageText) {
  const messageId = await groups.add({ tenantId, wanted: readWanted(body) });
  return { data: { messageId, state: 'queued' as const } };
}

/** Falls back if the contact is being erased right now: the other way may wait for that. */
function orElse<T>(otherwise: () => Promise<T>): (error: unknown) => Promise<T> {
  return (error) => {
    if (!isLockTimeout(error)) throw error;
    return otherwise();
  };
}

function suppressionEndpoints(needs: RouteNeeds): Endpoint[] {
  const { db, now, wake } = needs;
  return [
    endpoint(contract.listSuppressions, ({ caller, query }) =>
      listSuppressions(db, caller.tenantId, query, pageOf(query)),
    ),
    endpoint(contract.suppressAddress, async (call) => ({
      data: await suppress(needs, actorOf(call), call.params.email, call.body),
    })),
    endpoint(contract.unsuppressAddress, async (call) => ({
      data: { email: await unsuppress(needs, actorOf(call), call.params.email, call.query.note), success: true },
    })),
    endpoint(contract.getSending, async ({ caller }) => ({ data: await readSending(db, caller.tenantId, now()) })),
    endpoint(contract.resumeSending, (call) =>
      answerOnce(db, call, (tx) => resumeSending(tx, actorOf(call), now(), wake)),
    ),
  ];
}
