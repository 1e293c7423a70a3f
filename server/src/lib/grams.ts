import { foldCase } from './text.js';

// FNV-1a over the tenant and the gram, as a signed 32-bit number: what an int4[] with a plain GIN index holds.
function hash(tenantId: number, gram: string): number {
  let h = 0x811c9dc5 ^ tenantId;
  h = Math.imul(h, 0x01000193);
  for (let i = 0; i < gram.length; i++) {
    h ^= gram.charCodeAt(i);
    h = Math.imul(h, 0x01000193);
  }
  return h | 0;
}

function gramsOf(tenantId: number, chars: string[], size: number, into: Set<number>): void {
  for (let i = 0; i + size <= chars.length; i++) into.add(hash(tenantId, chars.slice(i, i + size).join('')));
}

/**
 * What is stored beside a name so that a substring search can use an index: hashes of all its pieces of 1, 2 and 3
 * characters. The tenant is part of each hash, so one tenant's search never touches another's rows. Collisions only
 * cost a recheck. No extension, no locale: pg_trgm drops non-ASCII letters in a C-locale database.
 */
export function storedGrams(tenantId: number, name: string, sizes: readonly number[] = [1, 2, 3]): number[] {
  const chars = [...foldCase(name)];
  const grams = new Set<number>();
  for (const size of sizes) gramsOf(tenantId, chars, size, grams);
  return [...grams];
}

/** The pieces that a name must have to contain `search`: its 3-grams, or the text itself if it is shorter. */
export function searchedGrams(tenantId: number, search: string): number[] {
  const chars = [...foldCase(search)];
  const grams = new Set<number>();
  gramsOf(tenantId, chars, Math.min(3, chars.length), grams);
  return [...grams];
}
