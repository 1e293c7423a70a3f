// The organizations that the contact's users belong to, and who else belongs to them.
import { type Sql, sql } from '../../../db/sql.js';
import { splitNegation } from '../negation.js';
import type { Piece } from '../subject.js';
import type { Filter, OrganizationCondition, OrgMembersCondition, OrgPropertyCondition } from '../tree.js';
import { belongingOf, membersOf, organizationsOf } from './belonging.js';
import { listed } from './fragments.js';
import { Place } from './place.js';
import { oneOf, RowScan, type RowSource, someRow, totalsOf } from './row-scan.js';
import { countHolds, isOfText, textTest } from './value-tests.js';

export function orgProperty({ key, test }: OrgPropertyCondition, place: Place): Piece {
  const column = RowScan.of('organizations', organizations, place);
  return oneOf(column, sql`(o.properties -> ${key}::text)`, test, place);
}

export function organization({ field, test }: OrganizationCondition, place: Place): Piece {
  // Ids of organizations need not be in `organization`: memberships may name others.
  const [column, text] =
    field === 'name'
      ? [RowScan.of('organizations', organizations, place), sql`o.name`]
      : [RowScan.of('organization ids', organizationIds, place), sql`mine.org_id`];
  const { positive, isNegative } = splitNegation(test);
  // A name may read as a time, and is never a number: as any other value that somebody stored.
  if (!isOfText(positive)) return oneOf(column, sql`to_jsonb(${text})`, test, place);
  return {
    holds: someRow(column, textTest(text, positive), isNegative),
    get value() {
      return column({ each: sql`to_jsonb(${text})`, over: 'values' });
    },
  };
}

/** What is asked of an organization is found out once for each, not once for each of its members. */
const organizations: RowSource = ({ columns }, on) => sql`
  with mine as materialized (select distinct b.contact_id, b.org_id from (${belongingOf(on)}) b),
  asked as materialized (
    select o.org_id, ${listed(columns.map(({ name, each }) => sql`${each} as ${name}`))} from ${organizationsOf(on)})
  select mine.contact_id, ${listed(columns.map(({ name, total }) => sql`${total(sql`asked.${name}`)} as ${name}`))}
  from mine join asked on asked.org_id = mine.org_id group by mine.contact_id`;

const organizationIds: RowSource = (asked, on) => sql`
  select mine.contact_id, ${totalsOf(asked)}
  from (select distinct b.contact_id, b.org_id from (${belongingOf(on)}) b) mine group by mine.contact_id`;

/** What the members of an organization are asked, compiled over their own rows. */
type CompileWhere = (filter: Filter, place: Place) => { holds: Sql; narrow: Sql | undefined; next?: Sql | undefined };

/**
 * Finds the members of all these organizations once, evaluates `where` once for each, then counts them by organization. A member that
 * fails `narrow` does not count, and never will just because time passes.
 */
export function orgMembers({ where, count }: OrgMembersCondition, place: Place, compileWhere: CompileWhere): Piece {
  const theirs = new Place({ ...place.at, extent: place.extent, scope: (id) => isMember(id, place) }, 'k');
  const { holds, narrow, next } = compileWhere(where, theirs);
  const fits = countHolds(sql`counted.matching`, count);
  // Without members, only a test that accepts zero is true.
  const toCounted = (count.atLeast ?? 0) > 0 ? sql`join` : sql`left join`;
  const name = place.join(sql`
    with mine as materialized (${belongingOf(place)}),
    member as materialized (${membersOf(place)}),
    whom as materialized (select array_agg(distinct contact_id) as ids from member),
    judged as materialized (
      select k.contact_id, ${holds} as holds, ${next ?? sql`null::timestamptz`} as next
      from contact k ${theirs.joins}
      where k.tenant_id = ${place.tenant} and ${theirs.scope(theirs.contactId)} and ${narrow ?? sql`true`}),
    counted as materialized (
      select member.org_id, count(*) filter (where judged.holds) as matching, min(judged.next) as next
      from member join judged on judged.contact_id = member.contact_id group by member.org_id)
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

/** Of some, each is looked up: a join might read the whole tenant's. Of many, all rows are read once, which costs less. */
function isMember(id: Sql, place: Place): Sql {
  switch (place.extent) {
    case 'all':
      return place.scope(id);
    case 'many':
      return sql`${id} in (select contact_id from member)`;
    case 'few':
      return sql`${id} = any((select ids from whom)::uuid[])`;
    default:
      throw new Error(`No such extent: ${place.extent satisfies never}`);
  }
}
