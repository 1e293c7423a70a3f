import type { Database } from '../../db/database.js';
import type { Page, PageOf } from '../../db/paged.js';
import { selectPropertyKeys } from '../contacts/index.js';
import { platformVariables, standardProperties } from './check-templates.js';

interface EmailVariable {
  name: string;
  kind: 'platform' | 'property';
}

const alwaysKnown: readonly EmailVariable[] = [
  ...platformVariables.map((name) => ({ name, kind: 'platform' as const })),
  ...standardProperties.map((name) => ({ name, kind: 'property' as const })),
];
const alwaysNames = alwaysKnown.map(({ name }) => name);

/** The platform's own variables, then the property keys; one page may contain both. */
export async function listVariables(
  db: Database,
  tenantId: number,
  { limit, offset }: PageOf,
): Promise<Page<EmailVariable>> {
  const own = alwaysKnown.slice(offset, offset + limit);
  const before = alwaysKnown.length;
  const skip = Math.max(0, offset - before);
  const keys = await selectPropertyKeys(db, tenantId, alwaysNames, { limit: limit - own.length, offset: skip });
  const rows = [...own, ...keys.rows.map(({ key }) => ({ name: key, kind: 'property' as const }))];
  return { rows, total: before + keys.total };
}
