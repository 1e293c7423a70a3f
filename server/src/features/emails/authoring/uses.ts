// What an email or a saved block names: saved blocks by their id, files by the hash in their address. Stored beside it in `uses`.
import type { Block } from '@rapport/contract';
import { savedBlocksOf } from '../../designs/index.js';

const fileAddress = /\/files\/([0-9a-f]{64})\.(?:png|jpg|gif|webp)\b/g;

/** The hashes of files that a text names, of any tenant. */
export function hashesIn(text: string): string[] {
  return [...new Set([...text.matchAll(fileAddress)].map(([, hash]) => hash as string))];
}

/** What an email names: its own saved blocks, and every file in what is sent. */
export function usesOfEmail(blocks: readonly Block[], html: string): string[] {
  return [...savedBlocksOf(blocks), ...hashesIn(html)];
}

export function usesOfBlocks(blocks: readonly Block[]): string[] {
  return [...savedBlocksOf(blocks), ...hashesIn(JSON.stringify(blocks))];
}
