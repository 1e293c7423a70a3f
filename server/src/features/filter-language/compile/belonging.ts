// Who belongs to which organization, as sets whose cost follows from the evaluated contacts. PostgreSQL has no choice in it where it could go
// wrong: without statistics it took 45 contacts for one, and joined three tables again for each of them.
import { type Sql, sql } from '../../../db/sql.js';
import type { Ground } from '../subject.js';

/** Columns org_id and contact_id, for the evaluated contacts; twice if two users of a contact belong to it. */
export function belongingOf(on: Ground): Sql {
  // Everyone's are read once. Of some, each user's are looked up: a join might read the whole tenant's.
  const memberships =
    on.extent === 'all'
      ? sql`join org_membership om on om.tenant_id = ${on.tenant} and om.user_id = u.user_id`
      : sql`cross join lateral (select m.org_id from org_membership m
          where m.tenant_id = ${on.tenant} and m.user_id = u.user_id offset 0) om`;
  return sql`select u.contact_id, om.org_id from product_user u ${memberships}
    where u.tenant_id = ${on.tenant} and ${on.scope(sql`u.contact_id`)}`;
}

/** The same for everyone in the organizations of `mine`, each contact once. */
export function membersOf(on: Ground): Sql {
  if (on.extent === 'all') return sql`select distinct org_id, contact_id from mine`;
  return sql`select distinct org.org_id, u.contact_id from (select distinct org_id from mine) org
    cross join lateral (select m.user_id from org_membership m
      where m.tenant_id = ${on.tenant} and m.org_id = org.org_id offset 0) om
    cross join lateral (select p.contact_id from product_user p
      where p.tenant_id = ${on.tenant} and p.user_id = om.user_id offset 0) u`;
}

/** The rows of the organizations of `mine`, with the alias `o`: what follows `from`. An id need not have one. */
export function organizationsOf(on: Ground): Sql {
  const ids = sql`(select distinct org_id from mine) org`;
  return on.extent === 'all'
    ? sql`${ids} join organization o on o.tenant_id = ${on.tenant} and o.org_id = org.org_id`
    : sql`${ids} cross join lateral (select r.org_id, r.name, r.properties from organization r
        where r.tenant_id = ${on.tenant} and r.org_id = org.org_id offset 0) o`;
}
