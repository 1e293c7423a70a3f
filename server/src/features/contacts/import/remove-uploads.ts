import type { Background } from '../../../db/database.js';
import { selectAcknowledged } from '../../transactions/index.js';
import { deleteUpload, lockUpload, selectOldUploads, type Upload } from './queries.js';

/** Removes staged rows, unless the upload was acknowledged after all: a commit whose reply got lost still counts. */
export async function removeUpload(db: Pick<Background, 'transaction'>, upload: Upload): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUpload(tx, upload);
    if ((await selectAcknowledged(tx, [upload])).size === 0) await deleteUpload(tx, upload);
  });
}

/** Removes uploads whose process died halfway. `hours` is longer than any pause in an upload. Returns how many. */
export async function sweepUploads(
  db: Background,
  hours: number,
  atMost: number,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let after: Upload | undefined; !signal?.aborted; ) {
    const old = await selectOldUploads(db, hours, after, atMost);
    const acknowledged = await selectAcknowledged(db, old);
    for (const upload of old.filter(({ uuid }) => !acknowledged.has(uuid))) {
      await removeUpload(db, upload);
      removed++;
    }
    after = old.at(-1);
    if (old.length < atMost) break;
  }
  return removed;
}
