// Making, changing and deleting saved blocks. A change reaches every email that uses the block, in the same transaction.

import { isDeepStrictEqual } from 'node:util';
import type { Block, BodyValue, createBlock as createRoute, updateBlock as updateRoute } from '@rapport/contract';
import type { Transaction } from '../../../db/database.js';
import { ApiError, notFound } from '../../../http/api-error.js';
import { isAssetId, newAssetId } from '../../../lib/ids.js';
import { type Actor, auditAtCommit } from '../../audit/index.js';
import { faulty } from '../../filter-language/index.js';
import { type Basis, isError, noBasis } from '../authoring/compile-design.js';
import { holdBasis, OutOfDate } from '../authoring/hold-basis.js';
import { type Draft, type Prepared, prepareEmail } from '../authoring/prepare-email.js';
import { usesOfBlocks } from '../authoring/uses.js';
import { type AuthoredEmail, findEmail, lockEmail } from '../queries.js';
import { type Authoring, saveEmail, untilCurrent } from '../update-email.js';
import { checkBlocks } from './check-blocks.js';
import * as queries from './queries.js';

type Author = Actor & { accountId: number };

interface CheckedBlocks {
  blocks: readonly Block[];
  basis: Basis;
}

/** Before the transaction, which must not wait for it. */
export function checkNewBlocks(authoring: Authoring, tenantId: number, body: BodyValue<typeof createRoute>) {
  return checkBlocks(authoring, tenantId, body.blocks, () => new Map());
}

export async function createBlock(
  tx: Transaction,
  actor: Author,
  name: string,
  { blocks, basis }: CheckedBlocks,
): Promise<queries.SavedBlock> {
  await holdBasis(tx, actor.tenantId, basis);
  const blockId = newAssetId();
  const made = await queries.insertBlock(tx, actor, blockId, { name, blocks, uses: usesOfBlocks(blocks) });
  auditAtCommit(tx, actor, 'saved-block.created', blockId, { name });
  return made;
}

/** An email that uses the block, as it was read and as it would be. */
interface Recompiled {
  email: AuthoredEmail;
  prepared: Prepared;
}

export async function updateBlock(
  authoring: Authoring,
  actor: Author,
  blockId: string,
  change: BodyValue<typeof updateRoute>,
): Promise<queries.SavedBlock> {
  const { db } = authoring;
  const { tenantId } = actor;
  // Compiled before, and still good if neither the email nor a saved block has changed.
  const compiled = new Map<string, Recompiled>();
  return untilCurrent(async () => {
    const stored = isAssetId(blockId) ? await queries.findBlock(db, tenantId, blockId) : undefined;
    // What is wrong with the blocks themselves is told first, as everywhere.
    if (!stored && change.blocks !== undefined) await checkBlocks(authoring, tenantId, change.blocks, () => new Map());
    if (!stored) throw notFound('saved block');
    const name = change.name ?? stored.name;
    const isSame = change.blocks === undefined || isDeepStrictEqual(change.blocks, stored.blocks);
    if (isSame && name === stored.name) return stored;
    const overlayOf = (blocks: readonly Block[]) => new Map([[blockId, blocks]]);
    const checked = isSame
      ? { blocks: stored.blocks, basis: noBasis }
      : await checkBlocks(authoring, tenantId, change.blocks, overlayOf);
    const emails = isSame ? [] : await recompile(authoring, tenantId, blockId, checked.blocks, compiled);
    await db.transaction((tx) => applyChange(tx, authoring, actor, stored, { name, ...checked, emails, isSame }));
    return (await queries.findBlock(db, tenantId, blockId)) ?? stored;
  });
}

/** All emails that use the block, with its new content. One that would break is a 400. */
async function recompile(
  authoring: Authoring,
  tenantId: number,
  blockId: string,
  blocks: readonly Block[],
  compiled: Map<string, Recompiled>,
): Promise<Recompiled[]> {
  const { db } = authoring;
  const emails: Recompiled[] = [];
  for (const id of await queries.selectEmailsUsing(db, tenantId, blockId)) {
    const email = await findEmail(db, tenantId, id);
    if (!email) continue;
    const known = compiled.get(id);
    const isGood = known && known.email.revision === email.revision && (await isCurrent(db, tenantId, known));
    const prepared = isGood
      ? known.prepared
      : await prepareEmail(authoring, tenantId, recompiledDraft(email), new Map([[blockId, blocks]]));
    refuseBroken(email, prepared);
    emails.push({ email, prepared });
    compiled.set(id, { email, prepared });
  }
  return emails;
}

/** All its designs, in every language, are to be compiled. */
function recompiledDraft(email: AuthoredEmail): Draft {
  const { subject, preheader, design } = email;
  const translations = Object.entries(email.translations).map(([language, own]) => {
    const body = own.design ? { toCompile: own.design } : own;
    return [language, { subject: own.subject, preheader: own.preheader, isNew: false, body }];
  });
  const body = design ? { toCompile: design } : email;
  return { subject, preheader, body, translations: Object.fromEntries(translations) };
}

async function isCurrent(db: Authoring['db'], tenantId: number, { prepared }: Recompiled): Promise<boolean> {
  const { blocks } = prepared.basis;
  const now = await queries.selectRevisions(db, tenantId, [...blocks.keys()]);
  return [...blocks].every(([id, revision]) => now.get(id) === revision);
}

function refuseBroken({ name }: AuthoredEmail, { problems, checked }: Prepared): void {
  const [problem] = problems.filter(isError);
  const words = problem ? `${problem.place}: ${problem.message}` : checked.faults[0]?.message;
  if (words !== undefined) throw faulty([{ path: 'blocks', words: `this would break the email "${name}": ${words}` }]);
}

interface Change extends CheckedBlocks {
  name: string;
  emails: readonly Recompiled[];
  /** Only the name changes. */
  isSame: boolean;
}

async function applyChange(
  tx: Transaction,
  { mostSaves }: Authoring,
  actor: Author,
  stored: queries.SavedBlock,
  { name, blocks, basis, emails, isSame }: Change,
): Promise<void> {
  const { tenantId } = actor;
  const { blockId } = stored;
  await holdAll(tx, tenantId, stored, [basis, ...emails.map(({ prepared }) => prepared.basis)]);
  if (!isSame) await holdEmails(tx, tenantId, blockId, emails);
  await queries.updateBlockRow(tx, actor, blockId, { name, blocks, uses: usesOfBlocks(blocks) });
  for (const { email, prepared } of emails) {
    const { html, text, translations } = prepared.made;
    if (html === email.html && text === email.text && isDeepStrictEqual(translations, email.translations)) continue;
    await saveEmail(tx, actor, email, { ...email, ...prepared.made }, { restoredFrom: null, mostSaves });
  }
  auditAtCommit(tx, actor, 'saved-block.changed', blockId, { name, emails: emails.length });
}

/** Locks the block and everything that went into the compilations: first all saved blocks, then all files. */
async function holdAll(
  tx: Transaction,
  tenantId: number,
  { blockId, revision }: queries.SavedBlock,
  bases: readonly Basis[],
): Promise<void> {
  const blocks = new Map([[blockId, revision], ...bases.flatMap((basis) => [...basis.blocks])]);
  const there = [...blocks.keys()].filter((id) => blocks.get(id) !== undefined);
  const held = await queries.holdBlocks(tx, tenantId, there, true);
  if ([...blocks].some(([id, known]) => held.get(id) !== known)) throw new OutOfDate();
  await holdBasis(tx, tenantId, { ...noBasis, files: [...new Set(bases.flatMap(({ files }) => files))] });
}

/** The emails that use the block must be those that were compiled, unchanged. */
async function holdEmails(
  tx: Transaction,
  tenantId: number,
  blockId: string,
  emails: readonly Recompiled[],
): Promise<void> {
  const using = await queries.selectEmailsUsing(tx, tenantId, blockId);
  if (using.length !== emails.length) throw new OutOfDate();
  for (const [i, { email }] of emails.entries()) {
    if (using[i] !== email.id) throw new OutOfDate();
    const now = await lockEmail(tx, tenantId, email.id);
    if (now?.revision !== email.revision) throw new OutOfDate();
  }
}

export async function deleteBlock(tx: Transaction, actor: Author, blockId: string): Promise<void> {
  const { tenantId } = actor;
  const isThere = isAssetId(blockId) && (await queries.holdBlocks(tx, tenantId, [blockId], true)).size > 0;
  const stored = isThere ? await queries.findBlock(tx, tenantId, blockId) : undefined;
  if (!stored) throw notFound('saved block');
  if (stored.usedBy > 0) {
    const reason = `The saved block is used in ${stored.usedBy} ${stored.usedBy === 1 ? 'email' : 'emails'}.`;
    throw new ApiError('INVALID_STATE', { reason });
  }
  const user = await queries.findBlockUsing(tx, tenantId, blockId);
  if (user !== undefined) throw new ApiError('INVALID_STATE', { reason: `The saved block "${user}" contains it.` });
  await queries.deleteBlockRow(tx, tenantId, blockId);
  auditAtCommit(tx, actor, 'saved-block.deleted', blockId, { name: stored.name });
}
