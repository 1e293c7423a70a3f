// Clicked addresses.
import type { Transaction } from '../../../../db/database.js';
import { bytes, sql } from '../../../../db/sql.js';

/** A clicked address. It is looked up by its hash, however long it is. */
export interface LinkRow {
  emailId: string;
  url: string;
  hash: string;
}

/** The numbers of known links, by `emailId:hash`. */
export async function selectLinks(
  tx: Transaction,
  tenantId: number,
  links: readonly LinkRow[],
): Promise<Map<string, number>> {
  const rows = await tx.rows(sql<{ emailId: string; hash: string; linkNo: number }>`
    select w.email_id as "emailId", w.url_hash as hash, l.link_no as "linkNo"
    from unnest(${links.map((l) => bytes(l.emailId))}::bytea[], ${links.map((l) => bytes(l.hash))}::bytea[]) w (email_id, url_hash)
    join message_link l on l.tenant_id = ${tenantId} and l.email_id = w.email_id and l.url_hash = w.url_hash`);
  return new Map(rows.map(({ emailId, hash, linkNo }) => [`${emailId}:${hash}`, linkNo]));
}

export async function insertLinks(tx: Transaction, tenantId: number, links: readonly LinkRow[]): Promise<void> {
  await tx.run(sql`
    insert into message_link (tenant_id, email_id, url, url_hash)
    select ${tenantId}, * from unnest(${links.map((l) => bytes(l.emailId))}::bytea[], ${links.map((l) => l.url)}::text[],
      ${links.map((l) => bytes(l.hash))}::bytea[])
    order by 2, 4 on conflict do nothing`);
}

/** Of these links, those that only erased people clicked, with their addresses. */
export function selectOrphans(
  tx: Transaction,
  tenantId: number,
  linkNos: readonly number[],
): Promise<{ linkNo: number; url: string }[]> {
  return tx.rows(sql<{ linkNo: number; url: string }>`
    select l.link_no as "linkNo", l.url from message_link l
    where l.tenant_id = ${tenantId} and l.link_no = any(${linkNos}::integer[]) and l.url_hash is not null and (
      select 1 from message_event e cross join lateral (
        select 1 from message m where m.tenant_id = ${tenantId} and m.message_id = e.message_id and m.address is not null limit 1
      ) m where e.tenant_id = ${tenantId} and e.click_of = l.link_no limit 1
    ) is null`);
}

/** They can no longer be found by their address: a person who clicks the same address later counts for a new link. */
export async function shortenLinks(
  tx: Transaction,
  tenantId: number,
  links: readonly { linkNo: number; url: string }[],
): Promise<void> {
  if (links.length === 0) return;
  await tx.run(sql`
    update message_link l set url = d.url, url_hash = null
    from unnest(${links.map((l) => l.linkNo)}::integer[], ${links.map((l) => l.url)}::text[]) d (link_no, url)
    where l.tenant_id = ${tenantId} and l.link_no = d.link_no`);
}
