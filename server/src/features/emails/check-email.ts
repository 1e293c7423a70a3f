import type { Runner, Transaction } from '../../db/database.js';
import { ApiError, invalid } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { holdTopics } from '../consent/index.js';
import { faulty } from '../filter-language/index.js';
import { holdFolder } from '../folders/index.js';
import { isSendingDomain } from '../sending/index.js';
import { isError } from './authoring/compile-design.js';
import type { Prepared } from './authoring/prepare-email.js';
import { refuseFaults, refuseUnknown } from './check-templates.js';
import { type Content, nameIsTaken } from './queries.js';

/** Whether the folder and topic that an email names exist. */
interface Places {
  folder: boolean;
  topic: boolean;
}

/** Locks both until the transaction ends. See holdFolder and holdTopics for what must not be locked before. */
export async function findPlaces(
  tx: Transaction,
  tenantId: number,
  { directoryId = null, topicId = null }: { directoryId?: string | null; topicId?: string | null },
): Promise<Places> {
  return {
    folder:
      directoryId === null || (isAssetId(directoryId) && (await holdFolder(tx, tenantId, directoryId)) !== undefined),
    topic: topicId === null || (isAssetId(topicId) && (await holdTopics(tx, tenantId, [topicId])).has(topicId)),
  };
}

/**
 * Checks an email in the order of the contract. The shape and the templates of the body were checked before: that may take a
 * while, and a transaction must not wait for it.
 */
export async function checkEmail(
  db: Runner,
  tenantId: number,
  content: Content,
  { checked, problems }: Pick<Prepared, 'checked' | 'problems'>,
  places: Places,
  ownId?: string,
): Promise<void> {
  refuseShape({ checked, problems });
  const { senderEmail, name } = content;
  if (!places.folder) throw invalid('folderId', 'is not a folder');
  if (!places.topic) throw invalid('topicId', 'is not a topic');
  const domain = senderEmail.slice(senderEmail.lastIndexOf('@') + 1);
  if (!(await isSendingDomain(db, tenantId, domain)))
    throw new ApiError('UnapprovedEmailDomainException', { domain }, { detail: 'fromEmail.email' });
  await refuseUnknown(db, tenantId, checked.variables);
  if (await nameIsTaken(db, tenantId, name, ownId)) throw alreadyExists(name);
}

/** What is wrong with the texts themselves. */
export function refuseShape({ checked, problems }: Pick<Prepared, 'checked' | 'problems'>): void {
  refuseProblems(problems);
  refuseFaults(checked.faults);
}

// A design of 200 blocks may have a fault in each.
const mostTold = 100;

/** Refuses a design with errors, each with its place. Warnings do not count. */
export function refuseProblems(problems: Prepared['problems']): void {
  const errors = problems.filter(isError).slice(0, mostTold);
  if (errors.length > 0) throw faulty(errors.map(({ place, message }) => ({ path: place, words: message })));
}

export function alreadyExists(name: string): ApiError {
  return new ApiError('TEMPLATE_ALREADY_EXISTS', { name }, { detail: 'name' });
}
