import type { Runner } from '../../db/database.js';
import type { PageOf } from '../../db/paged.js';
import { type Sql, sql } from '../../db/sql.js';
import { foldCase } from '../../lib/text.js';

// Characters. Longer text makes no useful example or choice in a list.
const mostText = 200;
const mostExamples = 5;
// Elements of a list that are looked at: the first ones describe a list of thousands well enough.
const mostElements = 50;
// Bytes of records as they are stored. With hundreds of properties each, 5,000 took longer than a slow read may, and with long lists
// hundreds of megabytes on disk besides: fewer of them are enough.
const mostBytes = 4 * 1024 * 1024;
// Different values of one property that leave the database, to be searched: some 200 KB. Only lists have more.
const mostDifferent = 10_000;

/** Text that reads as a date or a point in time. */
const timePattern =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([T ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:?\\d\\d)?)?$';

/** Properties of some records, as a query with a column properties. */
export type Sample = Sql;

interface DescribedKey {
  key: string;
  /** Records of the sample that have it. */
  having: number;
  types: ('text' | 'number' | 'boolean' | 'time' | 'list')[];
  examples: (string | number | boolean)[];
}

/** The sampled records, numbered. If not all are sampled, those left out are spread evenly, too. */
function lookedAt(sample: Sample): Sql {
  return sql`
    select n, properties from (
      select n, properties, sum(pg_column_size(properties)) over (order by hashint8(n), n) as bytes
      from (select row_number() over () as n, properties from (${sample}) s) numbered
    ) measured where bytes <= ${mostBytes} or n = 1`;
}
const firstElements = `$[0 to ${mostElements - 1}]`;
/** A value, cut so that intermediate results stay small. */
const shortened = (value: Sql) => sql`
  case when jsonb_typeof(${value}) = 'array' then jsonb_path_query_array(${value}, ${firstElements}::jsonpath) else ${value} end`;
/** Every scalar of `found` (n, key, value), elements of lists too. */
const atoms = sql`
  select f.n, f.key, case when jsonb_typeof(f.value) = 'array' then e.value else f.value end as value
  from found f left join lateral jsonb_array_elements(
    case when jsonb_typeof(f.value) = 'array' then f.value else '[]' end) e on true`;
const isShown = sql`jsonb_typeof(value) in ('string', 'number', 'boolean') and length(value #>> '{}') <= ${mostText}`;

/** A page of the keys by name, how many there are, and what the sample says of each. One statement: one look at the sample. */
export async function selectProperties(
  db: Runner,
  sample: Sample,
  keys: Sql | undefined,
  search: string | undefined,
  page: PageOf,
): Promise<{ rows: DescribedKey[]; total: number; looked: number }> {
  const all = keys ?? sql`select distinct jsonb_object_keys(properties) as key from looked`;
  // Keys are lower-case letters, digits and underscores.
  const wanted = search === undefined ? sql`true` : sql`position(${foldCase(search)} in key) > 0`;
  const row = await db.row(sql<{ rows: DescribedKey[] | null; total: number; looked: number }>`
    with looked as materialized (${lookedAt(sample)}),
    wanted as materialized (select key from (${all}) k where ${wanted}),
    page as materialized (select key from wanted order by key collate "C" limit ${page.limit} offset ${page.offset}),
    -- Each record is taken apart once: looking for every key in it would unpack it every time.
    found as materialized (
      select l.n, e.key, ${shortened(sql`e.value`)} as value
      from looked l cross join lateral jsonb_each(l.properties) e where e.key in (select key from page)
    ),
    typed as materialized (
      select key, type, count(*) as n from (
        select key, case jsonb_typeof(value)
            when 'array' then 'list' when 'string' then case when value #>> '{}' ~ ${timePattern} then 'time' else 'text' end
            else jsonb_typeof(value) end as type
        from found
      ) t group by key, type
    ),
    ranked as (
      select key, value, row_number() over (partition by key order by count(distinct n) desc, value) as place
      from (${atoms}) a where ${isShown} group by key, value
    ),
    -- By key before it is looked for by key: there may be a thousand values of each of 200.
    shown as materialized (
      select key, jsonb_agg(value order by place) as examples from ranked where place <= ${mostExamples} group by key
    )
    select (select count(*) from wanted) as total, (select count(*) from looked) as looked, (
      select jsonb_agg(jsonb_build_object('key', p.key,
        'having', coalesce((select sum(t.n) from typed t where t.key = p.key), 0),
        'types', coalesce((select jsonb_agg(t.type order by t.n desc, t.type) from typed t where t.key = p.key), '[]'),
        'examples', coalesce((select s.examples from shown s where s.key = p.key), '[]')) order by p.key collate "C")
      from page p
    ) as rows`);
  return { rows: row?.rows ?? [], total: row?.total ?? 0, looked: row?.looked ?? 0 };
}

export interface CountedValue {
  value: string | number | boolean;
  count: number;
}

interface CountedType {
  type: 'text' | 'number' | 'boolean' | 'time';
  count: number;
  examples: CountedValue['value'][];
}

const mostOfType = 3;
/** What operators see in a value: a text is a time only if they can read it as one. Most texts are told apart by how they begin. */
const typeOfValue = sql`
  case when jsonb_typeof(value) <> 'string' then jsonb_typeof(value)
    when value #>> '{}' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' and instant_of(value #>> '{}') is not null then 'time' else 'text' end`;

/** The values of a property in the sample, the most frequent first, and how many there are of each type. */
export async function selectValues(
  db: Runner,
  sample: Sample,
  key: string,
): Promise<{ rows: CountedValue[]; types: CountedType[]; looked: number }> {
  const row = await db.row(sql<{ rows: CountedValue[] | null; types: CountedType[] | null; looked: number }>`
    with looked as materialized (${lookedAt(sample)}),
    found as materialized (
      select n, ${key}::text as key, ${shortened(sql`value`)} as value
      from (select n, properties -> ${key}::text as value from looked) l where value is not null
    ),
    each as materialized (
      select value, count(distinct n) as count from (${atoms}) a
      where jsonb_typeof(value) in ('string', 'number', 'boolean') group by value
    ),
    counted as (select value, count from each where ${isShown} order by count desc, value limit ${mostDifferent}),
    typed as (
      select type, sum(count) as count, jsonb_agg(value order by place) filter (where place <= ${mostOfType}) as examples
      from (
        select type, value, count, case when ${isShown} then
          row_number() over (partition by type, ${isShown} order by count desc, value) end as place
        from (select value, count, ${typeOfValue} as type from each) t
      ) ranked group by type
    )
    select (select count(*) from looked) as looked, (
      select jsonb_agg(jsonb_build_object('value', value, 'count', count) order by count desc, value) from counted
    ) as rows, (
      select jsonb_agg(jsonb_build_object('type', type, 'count', count, 'examples', coalesce(examples, '[]'))
        order by count desc, type) from typed
    ) as types`);
  return { rows: row?.rows ?? [], types: row?.types ?? [], looked: row?.looked ?? 0 };
}
