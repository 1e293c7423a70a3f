import type { Transaction } from '../../../db/database.js';
import { holdFiles } from '../../files/index.js';
import { holdBlocks } from '../blocks/queries.js';
import type { Basis } from './compile-design.js';

/** Something that an email was compiled or checked with is another one now: it must be done again. */
export class OutOfDate extends Error {
  constructor() {
    super('What the email was compiled with has changed.');
  }
}

/** Locks what an email was compiled with until the transaction ends, or throws OutOfDate. See holdBlocks for what must not be locked before. */
export async function holdBasis(tx: Transaction, tenantId: number, { blocks, files }: Basis): Promise<void> {
  const held = await holdBlocks(
    tx,
    tenantId,
    [...blocks.keys()].filter((id) => blocks.get(id) !== undefined),
  );
  for (const [id, revision] of blocks) if (held.get(id) !== revision) throw new OutOfDate();
  if (files.length > 0 && (await holdFiles(tx, tenantId, files)).length < files.length) throw new OutOfDate();
}
