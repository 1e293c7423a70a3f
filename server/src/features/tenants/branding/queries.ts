// How the public pages of a workspace look, and what its emails begin with.
import type { Branding as BrandingSchema, DesignTheme } from '@rapport/contract';
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

export async function findEmailTheme(db: Runner, tenantId: number): Promise<DesignTheme | null> {
  const row = await db.row(sql<{ theme: DesignTheme | null }>`
    select email_theme as theme from tenant where tenant_id = ${tenantId}`);
  return row?.theme ?? null;
}

export async function updateEmailTheme(tx: Transaction, tenantId: number, theme: DesignTheme | null): Promise<void> {
  await tx.run(sql`
    update tenant set email_theme = ${theme && JSON.stringify(theme)}::jsonb where tenant_id = ${tenantId}`);
}
