import type { Background } from '../../../db/database.js';
import { deleteUnacknowledged, lockUpload, selectOrphans, type Upload } from './queries.js';

/** Removes what was staged, unless it was acknowledged after all: a commit whose answer got lost still counts. */
export async function removeUpload(db: Background, upload: Upload): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUpload(tx, upload);
    await deleteUnacknowledged(tx, upload);
  });
}

/** Removes uploads whose process died in the middle. `hours` is longer than any upload pauses. Answers how many. */
export async function sweepUploads(
  db: Background,
  hours: number,
  atMost: number,
  signal?: AbortSignal,
): Promise<number> {
  const orphans = await selectOrphans(db, hours, atMost);
  for (const upload of orphans) if (!signal?.aborted) await removeUpload(db, upload);
  return orphans.length;
}
