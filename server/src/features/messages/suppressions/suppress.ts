import type { BodyValue, SuppressionReason, suppressAddress } from '@rapport/contract';
import type { Database, Transaction } from '../../../db/database.js';
import { invalid, notFound } from '../../../http/api-error.js';
import { type Actor, auditAtCommit } from '../../audit/index.js';
import type { AddressHashes } from '../../consent/index.js';
import { findContactByEmail, parseEmail } from '../../contacts/index.js';
import type { Acknowledger } from '../../transactions/index.js';
import { fateWrite } from '../fates/fate.js';
import { deleteSuppression, putSuppression, type SuppressionRow, strengthenSuppressions } from './queries.js';

export interface SuppressionNeeds {
  db: Database;
  acknowledger: Acknowledger;
  hashes: AddressHashes;
}

/** The contact's property `unsubscribed` follows through the write queue, like every change of a contact. */
export async function suppress(
  { db, acknowledger, hashes }: SuppressionNeeds,
  { tenantId, accountId }: Pick<Actor, 'tenantId' | 'accountId'>,
  email: string,
  { reason = 'manual' }: BodyValue<typeof suppressAddress>,
): Promise<SuppressionRow> {
  const address = readAddress(email);
  const hash = (await hashes.of(db, tenantId))(address);
  return db.transaction(async (tx) => {
    const row = await putSuppression(tx, tenantId, { address, hash, reason }, accountId);
    await acknowledger.enqueue(tx, [fateWrite(tenantId, [{ what: 'settled', email: address }])]);
    return row;
  });
}

const mostNote = 500;
// Addresses per write: a worker's turn takes as many as fit.
const mostInWrite = 200;

/** For features below, in their transactions. An address that is suppressed already keeps the stronger reason. */
export function suppressAllWith({ acknowledger, hashes }: Pick<SuppressionNeeds, 'acknowledger' | 'hashes'>) {
  return async (
    tx: Transaction,
    tenantId: number,
    wanted: readonly { email: string; reason: SuppressionReason }[],
  ): Promise<void> => {
    const hashOf = await hashes.of(tx, tenantId);
    await strengthenSuppressions(
      tx,
      tenantId,
      wanted.map(({ email, reason }) => ({ address: email, hash: hashOf(email), reason })),
    );
    const fates = [...new Set(wanted.map(({ email }) => email))].map((email) => ({ what: 'settled' as const, email }));
    for (let from = 0; from < fates.length; from += mostInWrite)
      await acknowledger.enqueue(tx, [fateWrite(tenantId, fates.slice(from, from + mostInWrite))]);
  };
}

export async function unsuppress(
  { db, acknowledger, hashes }: SuppressionNeeds,
  actor: Actor,
  email: string,
  note: string | undefined,
): Promise<string> {
  const { tenantId } = actor;
  if (note !== undefined && note.length > mostNote) throw invalid('note', `must have at most ${mostNote} characters`);
  const address = parseEmail(email);
  const hashOf = await hashes.of(db, tenantId);
  return db.transaction(async (tx) => {
    if (address === undefined || !(await deleteSuppression(tx, tenantId, hashOf(address))))
      throw notFound('suppression');
    await acknowledger.enqueue(tx, [fateWrite(tenantId, [{ what: 'settled', email: address }])]);
    // The audit log is permanent: it gets the contact id, if there is one, and never the address.
    const contact = await findContactByEmail(tx, tenantId, address);
    auditAtCommit(tx, actor, 'suppression.lifted', contact?.id ?? null, note === undefined ? {} : { note });
    return address;
  });
}

function readAddress(email: string): string {
  const address = parseEmail(email);
  if (address === undefined) throw invalid('email', 'is not an email address');
  return address;
}
