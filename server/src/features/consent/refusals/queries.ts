import type { ConsentSource } from '@rapport/contract';
import type { Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';

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
