import type { Database } from '../../db/database.js';
import { selectPropertyKeys } from '../contacts/index.js';
import { platformVariables } from './check-templates.js';

interface EmailVariable {
  name: string;
  kind: 'platform' | 'property';
}

/** The platform's own, then the property keys; a page may straddle both. */
export async function listVariables(
  db: Database,
  tenantId: number,
  limit: number,
  offset: number,
): Promise<{ rows: EmailVariable[]; total: number }> {
  const own = platformVariables.slice(offset, offset + limit);
  const before = platformVariables.length;
  const skip = Math.max(0, offset - before);
  const { keys, total } = await selectPropertyKeys(db, tenantId, platformVariables, limit - own.length, skip);
  const rows = [
    ...own.map((name) => ({ name, kind: 'platform' as const })),
    ...keys.map((name) => ({ name, kind: 'property' as const })),
  ];
  return { rows, total: before + total };
}
