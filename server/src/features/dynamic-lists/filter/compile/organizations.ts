// The organizations that the contact's users belong to, and who else belongs to them.
import { type Sql, sql } from '../../../../db/sql.js';
import { splitNegation } from '../negation.js';
import type { Piece } from '../subject.js';
import type { Filter, OrganizationCondition, OrgMembersCondition, OrgPropertyCondition } from '../tree.js';
import { not } from './fragments.js';
import { oneOf } from './people.js';
import { Place } from './place.js';
import { countHolds, isOfText, textTest } from './value-tests.js';

// Ids of organizations need not be in `organization`: memberships may name others.
function memberships(place: Place): Sql {
  return sql`product_user u
    join org_membership om on om.tenant_id = ${place.tenantId} and om.user_id = u.user_id`;
}

function own(place: Place): Sql {
  return sql`u.tenant_id = ${place.tenantId} and u.contact_id = ${place.contactId}`;
}

function organizations(place: Place): Sql {
  return sql`${memberships(place)}
    join organization o on o.tenant_id = ${place.tenantId} and o.org_id = om.org_id where ${own(place)}`;
}

export function orgProperty({ key, test }: OrgPropertyCondition, place: Place): Piece {
  return oneOf(organizations(place), sql`(o.properties -> ${key}::text)`, test, place);
}

export function organization({ field, test }: OrganizationCondition, place: Place): Piece {
  const [rows, text] =
    field === 'name'
      ? [organizations(place), sql`o.name`]
      : [sql`${memberships(place)} where ${own(place)}`, sql`om.org_id`];
  const { positive, isNegative } = splitNegation(test);
  // A name may read as a time, and is never a number: as any other value that somebody stored.
  if (!isOfText(positive)) return oneOf(rows, sql`to_jsonb(${text})`, test, place);
  const exists = sql`exists (select from ${rows} and ${textTest(text, positive)})`;
  return {
    holds: isNegative ? not(exists) : exists,
    value: sql`(select jsonb_agg(distinct ${text}) from ${rows})`,
  };
}

/** What the members of an organization are asked, compiled over their own rows. */
export type CompileWhere = (
  filter: Filter,
  place: Place,
) => { holds: Sql; narrow: Sql | undefined; next?: Sql | undefined };

/**
 * For each organization of the contacts at hand, `where` is evaluated for each of its members. Whoever fails `narrow` neither counts
 * nor ever will by the clock alone. A contact may belong to an organization through several users: those are told apart only where
 * they are counted, and nothing is kept between that PostgreSQL could not estimate.
 */
export function orgMembers({ where, count }: OrgMembersCondition, place: Place, compileWhere: CompileWhere): Piece {
  const belonging = (condition: Sql) => sql`select om.org_id, u.contact_id from ${memberships(place)}
    where u.tenant_id = ${place.tenantId} and ${condition}`;
  const mine = belonging(place.scope(sql`u.contact_id`));
  // Of everybody, the members are the same rows.
  const member = place.isEverybody ? mine : belonging(sql`om.org_id in (select org_id from mine)`);
  const scope = (id: Sql) => (place.isEverybody ? place.scope(id) : sql`${id} in (select contact_id from member)`);
  const theirs = new Place({ ...place.at, scope }, 'k');
  const { holds, narrow, next } = compileWhere(where, theirs);
  const fits = countHolds(sql`counted.matching`, count);
  // Where nobody counts, only a test that none may pass holds.
  const toCounted = (count.atLeast ?? 0) > 0 ? sql`join` : sql`left join`;
  const name = place.join(sql`
    with mine as not materialized (${mine}),
    member as (${member}),
    counted as (
      select member.org_id, count(distinct member.contact_id) filter (where ${holds}) as matching,
        min(${next ?? sql`null::timestamptz`}) as next
      from member join contact k on k.tenant_id = ${place.tenantId} and k.contact_id = member.contact_id ${theirs.joins}
      where ${narrow ?? sql`true`}
      group by member.org_id)
    select mine.contact_id, bool_or(${fits}) as fits, min(counted.next) as next,
      coalesce(max(counted.matching) filter (where ${fits}), max(counted.matching), 0) as matching
    from mine ${toCounted} counted on counted.org_id = mine.org_id
    group by mine.contact_id`);
  return {
    holds: sql`(${name}.fits is true)`,
    next: next && sql`${name}.next`,
    value: sql`to_jsonb(coalesce(${name}.matching, 0))`,
  };
}
