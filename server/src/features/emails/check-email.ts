import type { Runner } from '../../db/database.js';
import { ApiError, invalid } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { findFolder } from '../folders/index.js';
import { isSendingDomain } from '../tenants/index.js';
import { refuseFaults, refuseUnknown } from './check-templates.js';
import { type Content, nameIsTaken } from './queries.js';
import type { Checked } from './rendering/texts.js';

/**
 * The checks of an email in the order of the contract. The shape of the body has been checked before, and its texts: that may
 * take a while, and a transaction must not wait for it.
 */
export async function checkEmail(
  db: Runner,
  tenantId: number,
  content: Content,
  checked: Checked,
  ownId?: string,
): Promise<void> {
  refuseFaults(checked);
  const { directoryId, senderEmail, name } = content;
  if (directoryId !== null && !(isAssetId(directoryId) && (await findFolder(db, tenantId, directoryId))))
    throw invalid('folderId', 'is not a folder');
  const domain = senderEmail.slice(senderEmail.lastIndexOf('@') + 1);
  if (!(await isSendingDomain(db, tenantId, domain)))
    throw new ApiError('UnapprovedEmailDomainException', { domain }, { detail: 'fromEmail.email' });
  await refuseUnknown(db, tenantId, checked);
  if (await nameIsTaken(db, tenantId, name, ownId)) throw alreadyExists(name);
}

export function alreadyExists(name: string): ApiError {
  return new ApiError('TEMPLATE_ALREADY_EXISTS', { name }, { detail: 'name' });
}
