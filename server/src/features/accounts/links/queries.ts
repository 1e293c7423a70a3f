import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';

export type LinkKind = 'sign-in' | 'reset';

export async function insertLink(
  db: Runner,
  link: { linkHash: string; kind: LinkKind; personId: number; seconds: number },
): Promise<void> {
  await db.run(sql`
    insert into one_time_link (link_hash, kind, person_id, expires_at)
    values (${bytes(link.linkHash)}, ${link.kind}, ${link.personId}, now() + make_interval(secs => ${link.seconds}))`);
}

/** Whose link it is, while it can be used. */
export async function findLinkRow(db: Runner, linkHash: string, kind: LinkKind): Promise<number | undefined> {
  const row = await db.row(sql<{ personId: number }>`
    select person_id as "personId" from one_time_link
    where link_hash = ${bytes(linkHash)} and kind = ${kind} and used_at is null and expires_at > now()`);
  return row?.personId;
}

/** Uses it up: of many concurrent calls, one returns true. */
export async function takeLinkRow(db: Runner, linkHash: string, kind: LinkKind): Promise<boolean> {
  const touched = await db.run(sql`
    update one_time_link set used_at = now()
    where link_hash = ${bytes(linkHash)} and kind = ${kind} and used_at is null and expires_at > now()`);
  return touched === 1;
}

/** Deletes a person's unused links. */
export async function deleteLinks(db: Runner, personId: number, kind: LinkKind): Promise<void> {
  await db.run(sql`
    delete from one_time_link where person_id = ${personId} and kind = ${kind} and used_at is null`);
}

/** Deletes expired links. */
export function sweepLinks(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    delete from one_time_link where link_hash in (
      select link_hash from one_time_link where expires_at < now() - interval '1 day' limit ${atMost})`);
}
