// Headers of webhook steps often contain a password of the receiver. Their values are stored sealed; definitions contain references.
import { isPlainHeader } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { newAssetId } from '../../../lib/ids.js';
import { type SecretBox, SecretBoxError } from '../../../lib/secret-box.js';
import { insertHeader, selectHeaders, updateHeader } from './queries.js';

type Headers = Readonly<Record<string, string>>;

const prefix = 'sealed:';
const shape = /^sealed:([0-9a-f]{24})$/;

// As in the drawer in queries.ts, which moves secrets to a new key.
const about = (tenantId: number, headerId: string) => `webhook-header:${tenantId}:${headerId}`;

/** The id in a reference; undefined for a value. */
export function sealedHeaderId(value: string): string | undefined {
  return shape.exec(value)?.[1];
}

/** The reference to a value. */
export const sealedReference = (headerId: string) => `${prefix}${headerId}`;

/** Stores a value; returns the reference to it. */
export async function sealHeader(db: Runner, box: SecretBox, tenantId: number, value: string): Promise<string> {
  const headerId = newAssetId();
  await insertHeader(db, tenantId, headerId, box.seal(value, about(tenantId, headerId)).toString('hex'));
  return sealedReference(headerId);
}

/** Stores another value under the same reference. */
export async function resealHeader(
  db: Runner,
  box: SecretBox,
  tenantId: number,
  headerId: string,
  value: string,
): Promise<void> {
  await updateHeader(db, tenantId, headerId, box.seal(value, about(tenantId, headerId)).toString('hex'));
}

/** The values by reference, without those that are missing or cannot be opened, as after a restore without the key. */
export async function openHeaders(
  db: Runner,
  box: SecretBox,
  tenantId: number,
  references: readonly string[],
): Promise<Map<string, string>> {
  const ids = references.flatMap((each) => sealedHeaderId(each) ?? []);
  const rows = ids.length === 0 ? [] : await selectHeaders(db, tenantId, [...new Set(ids)]);
  return new Map(
    rows.flatMap(({ headerId, sealed }) => {
      const value = opened(box, Buffer.from(sealed, 'hex'), about(tenantId, headerId));
      return value === undefined ? [] : [[sealedReference(headerId), value] as const];
    }),
  );
}

function opened(box: SecretBox, sealed: Buffer, words: string): string | undefined {
  try {
    return box.open(sealed, words).toString('utf8');
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined;
    throw error;
  }
}

/** Headers as they are sent. Throws if a value is gone or cannot be read. */
export async function withValues(
  db: Runner,
  box: SecretBox,
  tenantId: number,
  headers: Headers | null,
): Promise<Headers | null> {
  const references = Object.entries(headers ?? {}).flatMap(([name, value]) =>
    !isPlainHeader(name) && sealedHeaderId(value) ? [value] : [],
  );
  if (!headers || references.length === 0) return headers;
  const values = await openHeaders(db, box, tenantId, references);
  const opened = Object.entries(headers).map(([name, value]) => {
    if (!references.includes(value)) return [name, value] as const;
    const found = values.get(value);
    if (found === undefined)
      throw new Error(`The value of the header ${name} is missing, or was sealed with another key.`);
    return [name, found] as const;
  });
  return Object.fromEntries(opened);
}
