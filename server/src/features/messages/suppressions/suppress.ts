import type { BodyValue, suppressAddress } from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { invalid, notFound } from '../../../http/api-error.js';
import { type Actor, auditAtCommit } from '../../audit/index.js';
import type { AddressHashes } from '../../consent/index.js';
import { findContactByEmail, parseEmail } from '../../contacts/index.js';
import type { Acknowledger } from '../../transactions/index.js';
import { fateWrite } from '../fates/fate.js';
import { deleteSuppression, putSuppression, type SuppressionRow } from './queries.js';

export interface SuppressionNeeds {
  db: Database;
  acknowledger: Acknowledger;
  hashes: AddressHashes;
}

/** The contact's property `unsubscribed` follows through the write queue, like every change of a contact. */
export async function suppress(
  { db, acknowledger, hashes }: SuppressionNeeds,
  tenantId: number,
  email: string,
  { reason = 'manual' }: BodyValue<typeof suppressAddress>,
): Promise<SuppressionRow> {
  const address = readAddress(email);
  const hash = (await hashes.of(db, tenantId))(address);
  return db.transaction(async (tx) => {
    const row = await putSuppression(tx, tenantId, { address, hash, reason });
    await acknowledger.enqueue(tx, [fateWrite(tenantId, [{ what: 'settled', email: address }])]);
    return row;
  });
}

export async function unsuppress(
  { db, acknowledger, hashes }: SuppressionNeeds,
  actor: Actor,
  email: string,
): Promise<string> {
  const { tenantId } = actor;
  const address = parseEmail(email);
  const hashOf = await hashes.of(db, tenantId);
  return db.transaction(async (tx) => {
    if (address === undefined || !(await deleteSuppression(tx, tenantId, hashOf(address))))
      throw notFound('suppression');
    await acknowledger.enqueue(tx, [fateWrite(tenantId, [{ what: 'settled', email: address }])]);
    // The audit log is permanent: it gets the contact id, if there is one, and never the address.
    const contact = await findContactByEmail(tx, tenantId, address);
    auditAtCommit(tx, actor, 'suppression.lifted', contact?.id ?? null);
    return address;
  });
}

function readAddress(email: string): string {
  const address = parseEmail(email);
  if (address === undefined) throw invalid('email', 'is not an email address');
  return address;
}
