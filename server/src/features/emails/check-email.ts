import type { Runner, Transaction } from '../../db/database.js';
import { ApiError, invalid } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { holdFolder } from '../folders/index.js';
import { isSendingDomain } from '../sending/index.js';
import { refuseFaults, refuseUnknown } from './check-templates.js';
import { type Content, nameIsTaken } from './queries.js';
import type { Checked } from './rendering/texts.js';

/** Whether an email can be filed there. The folder stays until the transaction ends; see there what must not be locked yet. */
export async function isFolder(tx: Transaction, tenantId: number, id: string | null | undefined): Promise<boolean> {
  return id === null || id === undefined || (isAssetId(id) && (await holdFolder(tx, tenantId, id)) !== undefined);
}

/**
 * The checks of an email in the order of the contract. The shape of the body has been checked before, and its texts: that may
 * take a while, and a transaction must not wait for it.
 */
export async function checkEmail(
  db: Runner,
  tenantId: number,
  content: Content,
  checked: Checked,
  folderIsThere: boolean,
  ownId?: string,
): Promise<void> {
  refuseFaults(checked);
  const { senderEmail, name } = content;
  if (!folderIsThere) throw invalid('folderId', 'is not a folder');
  const domain = senderEmail.slice(senderEmail.lastIndexOf('@') + 1);
  if (!(await isSendingDomain(db, tenantId, domain)))
    throw new ApiError('UnapprovedEmailDomainException', { domain }, { detail: 'fromEmail.email' });
  await refuseUnknown(db, tenantId, checked);
  if (await nameIsTaken(db, tenantId, name, ownId)) throw alreadyExists(name);
}

export function alreadyExists(name: string): ApiError {
  return new ApiError('TEMPLATE_ALREADY_EXISTS', { name }, { detail: 'name' });
}
