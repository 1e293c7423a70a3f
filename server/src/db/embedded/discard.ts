import { rm } from 'node:fs/promises';

/** Best effort: leftovers are removed at the next start. Another process may still be writing into it. */
export async function discard(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined);
}
