// How the public pages of a workspace look.
import type { Branding as BrandingSchema } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Runner, Transaction } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';

export type Branding = Static<typeof BrandingSchema>;

/** Null: as they ship. For a statement that reads what a page shows. */
export function brandingOf(tenantId: number): Sql {
  return sql`(select b.branding from tenant b where b.tenant_id = ${tenantId})`;
}

export async function findBranding(db: Runner, tenantId: number): Promise<Branding | null> {
  const row = await db.row(sql<{ branding: Branding | null }>`select ${brandingOf(tenantId)} as branding`);
  return row?.branding ?? null;
}

export async function updateBranding(tx: Transaction, tenantId: number, branding: Branding | null): Promise<void> {
  await tx.run(sql`
    update tenant set branding = ${branding && JSON.stringify(branding)}::jsonb where tenant_id = ${tenantId}`);
}
