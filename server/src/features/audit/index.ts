// The audit log: who did what, in order, for good. Features append to it in their own transactions.
import type { Database, Runner, Transaction } from '../../db/database.js';
import type { Caller } from '../../http/endpoint.js';
import { type Clock, systemClock } from '../../lib/clock.js';
import { GroupCommit } from '../../work/group-commit.js';
import { firstHash, hashOf, textOf } from './chain.js';
import { insertEntries, insertEntry, lockHead, type NewEntry } from './queries.js';

export { auditEntryTable, auditHeadTable } from './queries.js';

export { type AuditScope, type VerifiedLog, verifyAudit } from './verify-audit.js';

/** The logged actions. The first word is the kind of thing that it was done to. */
export const auditActions = [
  ...['sign-in.succeeded', 'sign-in.failed', 'sign-in.locked', 'sign-in.link-made', 'sign-out', 'sign-out.everywhere'],
  ...['password.changed', 'password.reset', 'second-factor.added', 'second-factor.removed', 'recovery-codes.renewed'],
  ...['person.invited', 'person.joined', 'person.role-changed', 'person.deactivated', 'person.reactivated'],
  ...['person.renamed'],
  ...['invitation.revoked', 'token.created', 'token.revoked'],
  ...['app.connected', 'app.disconnected', 'app.token-reused', 'agent.called'],
  ...[
    'workspace.changed',
    'sending-domain.added',
    'sending-domain.removed',
    'sending-domain.shared',
    'sending-domain.unshared',
    'transport.changed',
    'transport.removed',
  ],
  ...[
    'mail-hook.added',
    'mail-hook.removed',
    'identity-provider.added',
    'identity-provider.changed',
    'identity-provider.removed',
    'sso-domain.proven',
    'sso-domain.lost',
  ],
  ...[
    'webhook.added',
    'webhook.changed',
    'webhook.removed',
    'webhook.secret-renewed',
    'alert-webhook.changed',
    'alert-webhook.removed',
    'suppression.lifted',
    'account.created',
  ],
  ...['sending.paused', 'sending.resumed', 'contact.exported', 'contact.erased', 'report.exported'],
  ...['journey.activated', 'journey.paused', 'journey.resumed', 'journey.deactivated', 'journey.deleted'],
  ...['contact.taken-out', 'contact.wait-skipped'],
  ...['broadcast.sent', 'broadcast.paused', 'broadcast.resumed', 'broadcast.cancelled', 'broadcast.deleted'],
  ...['topic.created', 'topic.changed', 'topic.deleted', 'form.created', 'form.changed', 'form.deleted'],
  ...['file.uploaded', 'file.deleted', 'saved-block.created', 'saved-block.changed', 'saved-block.deleted'],
] as const;
export type AuditAction = (typeof auditActions)[number];

export interface Actor {
  tenantId: number;
  /** Null: an operator, or a stranger. */
  accountId: number | null;
  address: string | null;
}

/** The caller of a request. */
export function actorOf({ caller, address }: { caller: Caller; address: string }): Actor & { accountId: number } {
  return { tenantId: caller.tenantId, accountId: caller.accountId, address };
}

/**
 * Appends an entry. Comes last in a transaction: it locks the tenant's log until the end, and others wait.
 * @param detail Never a secret, and of contacts ids alone: the log is for good, and people have a right to be forgotten.
 */
export async function recordAudit(
  db: Runner,
  actor: Actor,
  action: AuditAction,
  subject: string | number | null = null,
  detail: Readonly<Record<string, unknown>> = {},
  clock: Clock = systemClock,
): Promise<void> {
  await appendEntry(db, entryOf(clock, actor, action, subject, detail));
}

function entryOf(clock: Clock, ...[actor, action, subject = null, detail = {}]: AuditArguments): NewEntry {
  return {
    ...{ tenantId: actor.tenantId, accountId: actor.accountId || null, address: actor.address },
    ...{ at: clock.now().toISOString(), action, subject: subject === null ? null : String(subject) },
    detail: JSON.stringify(detail),
  };
}

function appendEntry(db: Runner, entry: NewEntry): Promise<void> {
  return insertEntry(db, entry, firstHash(entry.tenantId), textOf(entry));
}

/** For what is logged often, and outside of transactions: entries that come together share one. */
export function auditGroups(db: Database): (...entry: AuditArguments) => Promise<void> {
  const groups = new GroupCommit<NewEntry, void>({
    keyOf: ({ tenantId }) => tenantId,
    sizeOf: ({ detail }) => detail.length,
    commit: async (entries) => {
      const [entry] = entries as [NewEntry];
      if (entries.length === 1) await appendEntry(db, entry);
      else await db.transaction((tx) => appendEntries(tx, entry.tenantId, entries));
      return entries.map(() => undefined);
    },
  });
  return (...entry) => groups.add(entryOf(systemClock, ...entry));
}

async function appendEntries(tx: Transaction, tenantId: number, entries: readonly NewEntry[]): Promise<void> {
  let { entryNo, hash } = await lockHead(tx, tenantId, firstHash(tenantId));
  const rows = entries.map((entry) => {
    entryNo++;
    hash = hashOf(hash, entryNo, entry);
    return { ...entry, entryNo, hash };
  });
  await insertEntries(tx, tenantId, rows);
}

/** The same at the very end of a transaction that has more to do: others who append wait only for the commit. */
export function auditAtCommit(tx: Transaction, ...[actor, action, subject, detail]: AuditArguments): void {
  tx.beforeCommit(() => recordAudit(tx, actor, action, subject, detail));
}

type AuditArguments = [
  actor: Actor,
  action: AuditAction,
  subject?: string | number | null,
  detail?: Readonly<Record<string, unknown>>,
];
