// What is stored sealed, here and in features above, under which name, and how all of it moves to a new key.
import type { Runner } from '../../db/database.js';
import { randomBytes } from '../../lib/random.js';
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.js';
import {
  type Drawer,
  findTenantSecret,
  insertTenantSecret,
  ownDrawers,
  type SealedRow,
  selectHeads,
  selectSealed,
  updateSealed,
} from './queries.js';

/** What a sealed secret is bound to, and what messages call it: `dkim:7:example.com`, `smtp:7`. */
export function about(kind: string, tenantId: number, name = ''): string {
  return [kind, tenantId, ...(name ? [name] : [])].join(':');
}

/** The tenant's secret for a purpose, if it was ever asked for. */
export async function knownSecret(
  db: Runner,
  box: SecretBox,
  tenantId: number,
  purpose: string,
): Promise<Buffer | undefined> {
  const sealed = await findTenantSecret(db, tenantId, purpose);
  return sealed === undefined ? undefined : box.open(Buffer.from(sealed, 'hex'), about('secret', tenantId, purpose));
}

/** The tenant's secret of 256 random bits for a purpose, such as `tracking`. Made when it is first asked for. */
export async function tenantSecret(db: Runner, box: SecretBox, tenantId: number, purpose: string): Promise<Buffer> {
  const known = await knownSecret(db, box, tenantId, purpose);
  if (known) return known;
  const sealed = box.seal(randomBytes(32), about('secret', tenantId, purpose)).toString('hex');
  await insertTenantSecret(db, tenantId, purpose, sealed);
  // If two make it at once, one wins.
  return (await knownSecret(db, box, tenantId, purpose)) as Buffer;
}

export interface Rotation {
  resealed: number;
  /** How many were under the newest key before. */
  current: number;
  /** Why some could not be opened; they stay as they are. */
  complaints: string[];
}

/** How many secrets this process cannot read: none, unless it lacks a key that other nodes or earlier starts had. */
export async function countUnreadable(db: Runner, box: SecretBox, others: readonly Drawer[] = []): Promise<number> {
  const heads = await Promise.all([...ownDrawers, ...others].map((drawer) => selectHeads(db, drawer)));
  return heads
    .flat()
    .filter(({ head }) => !box.knows(Buffer.from(head, 'hex')))
    .reduce((sum, { secrets }) => sum + secrets, 0);
}

const step = 200;

/**
 * Seals everything under the newest key, some rows at a time. If it is interrupted, the next run continues.
 * @param others where features above this one keep theirs.
 */
export async function rotateSecrets(db: Runner, box: SecretBox, others: readonly Drawer[] = []): Promise<Rotation> {
  const rotation: Rotation = { resealed: 0, current: 0, complaints: [] };
  for (const drawer of [...ownDrawers, ...others]) {
    let after = { tenantId: 0, name: '' };
    for (;;) {
      const rows = await selectSealed(db, drawer, after, step);
      for (const row of rows) await reseal(db, box, drawer, row, rotation);
      const last = rows.at(-1);
      if (!last || rows.length < step) break;
      after = last;
    }
  }
  return rotation;
}

async function reseal(db: Runner, box: SecretBox, drawer: Drawer, row: SealedRow, rotation: Rotation): Promise<void> {
  const sealed = Buffer.from(row.sealed, 'hex');
  if (box.isCurrent(sealed)) {
    rotation.current++;
    return;
  }
  const words = about(drawer.kind, row.tenantId, row.name);
  try {
    const again = box.seal(box.open(sealed, words), words).toString('hex');
    rotation.resealed += await updateSealed(db, drawer, row, again);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    rotation.complaints.push(error.message);
  }
}
