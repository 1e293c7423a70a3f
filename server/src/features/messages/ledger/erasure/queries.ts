import type { Transaction } from '../../../../db/database.js';
import { sql } from '../../../../db/sql.js';

/**
 * Removes a person from the ledger. What happened stays, for the figures; waiting messages are skipped. Texts that were made for the
 * person alone are deleted. Returns the numbers of the links that the person clicked.
 */
export async function anonymizeMessages(
  tx: Transaction,
  tenantId: number,
  { id, email }: { id: string; email: string },
): Promise<number[]> {
  const rows = await tx.rows(sql<{ linkNo: number }>`
    with own as materialized (
      select m.message_id, m.content_hash, m.version, m.state from message m
      where m.tenant_id = ${tenantId} and (m.contact_id = ${id}::uuid or m.address = ${email} or m.made_for = ${id}::uuid)
      order by m.message_id for update
    ), forgotten as (
      update message m set contact_id = null, made_for = null, address = null, subject = null, words = null,
        state = case when m.state = 'queued' then 'skipped' else m.state end,
        reason = case when m.state = 'queued' then 'erased' else m.reason end,
        content_hash = case when m.version = 'personalized' then null else m.content_hash end
      from own where m.tenant_id = ${tenantId} and m.message_id = own.message_id
    ), noted as (
      insert into message_event (tenant_id, message_id, at, what, detail)
      select ${tenantId}, message_id, now(), 'skipped', 'erased' from own where state = 'queued'
    ), silenced as (
      update message_event e set detail = null from own
      where e.tenant_id = ${tenantId} and e.message_id = own.message_id and e.what in ('clicked', 'bounced', 'softBounced', 'complained')
    ), unwritten as (
      delete from message_content c using own
      where c.tenant_id = ${tenantId} and c.content_hash = own.content_hash and own.version = 'personalized'
    )
    select distinct e.click_of as "linkNo" from own join message_event e on e.tenant_id = ${tenantId} and e.message_id = own.message_id
    where e.click_of is not null`);
  return rows.map(({ linkNo }) => linkNo);
}
