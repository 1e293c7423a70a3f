import type { ConsentSource } from '@rapport/contract';
import type { Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import type { Standing } from '../decide.js';
import type { Pair } from '../states/queries.js';

interface Refusal {
  hash: string;
  topicId: string;
  since: string;
  source: ConsentSource;
}

/** Takes what was kept of these addresses: their contacts have it from now on. */
export function takeRefusals(tx: Transaction, tenantId: number, hashes: readonly string[]): Promise<Refusal[]> {
  return tx.rows(sql<Refusal>`
    with taken as (
      delete from topic_refusal r using unnest(${hashes.map(bytes)}::bytea[]) as w (hash)
      where r.tenant_id = ${tenantId} and r.address_hash = w.hash returning r.*
    )
    select address_hash as hash, topic_id as "topicId", since, source from taken order by since, topic_id`);
}

/** What was said for contacts whose rows are locked is their own word from now on. */
export async function noteOwnWords(
  tx: Transaction,
  tenantId: number,
  words: readonly (Pair & Pick<Standing, 'refusedBy'>)[],
): Promise<void> {
  if (words.length === 0) return;
  await tx.run(sql`
    update contact_topic s set refused_by = n.refused_by
    from unnest(${words.map((w) => w.contactId)}::uuid[], ${words.map((w) => bytes(w.topicId))}::bytea[],
      ${words.map((w) => w.refusedBy)}::text[]) as n (contact_id, topic_id, refused_by)
    where s.tenant_id = ${tenantId} and s.contact_id = n.contact_id and s.topic_id = n.topic_id`);
}
