// What is known of the contact itself, its product users, and the lists that it is in.
import { bytes, type Sql, sql } from '../../../../db/sql.js';
import { splitNegation } from '../negation.js';
import type { Piece } from '../subject.js';
import type {
  BucketCondition,
  ContactCondition,
  DynamicListCondition,
  PropertyCondition,
  StaticListCondition,
  UserPropertyCondition,
  ValueTest,
} from '../tree.js';
import { not, some } from './fragments.js';
import { timeJson } from './moments.js';
import type { Place } from './place.js';
import { jsonIs, jsonTest, textTest, timeTest } from './value-tests.js';

export function property({ key, test }: PropertyCondition, place: Place): Piece {
  const value = sql`(${place.contact}.properties -> ${key}::text)`;
  if (test.op !== 'hasEverBeen') return { ...jsonTest(value, test, place.now), value };
  // What a contact was created with is the old value of the first change.
  const before = sql`exists (select from contact_change h
    where h.tenant_id = ${place.tenantId} and h.contact_id = ${place.contactId} and h.field = ${key}
      and (h.old_value @> ${JSON.stringify(test.value)}::jsonb or h.new_value @> ${JSON.stringify(test.value)}::jsonb))`;
  return { holds: some([jsonIs(value, test.value), before]), value };
}

export function contactField({ field, test }: ContactCondition, place: Place): Piece {
  switch (field) {
    case 'email': {
      const email = sql`${place.contact}.email`;
      return { holds: textTest(email, lowerCased(test)), value: sql`to_jsonb(${email})` };
    }
    case 'createdAt':
      return timePiece(sql`${place.contact}.created_at`, test, place);
    case 'updatedAt':
      return timePiece(sql`${place.contact}.updated_at`, test, place);
    default:
      throw new Error(`No such field of a contact: ${field satisfies never}`);
  }
}

function timePiece(at: Sql, test: ValueTest, place: Place): Piece {
  return { ...timeTest(at, test, place.now), value: timeJson(at) };
}

// Emails are stored in lower case.
function lowerCased(test: ValueTest): ValueTest {
  const lower = <T>(value: T) => (typeof value === 'string' ? value.toLowerCase() : value);
  if (test.op === 'is' || test.op === 'isNot') return { ...test, value: lower(test.value) };
  if (test.op === 'in' || test.op === 'notIn') return { ...test, values: test.values.map(lower) };
  return test;
}

export function userProperty({ key, test }: UserPropertyCondition, place: Place): Piece {
  const own = sql`product_user u where u.tenant_id = ${place.tenantId} and u.contact_id = ${place.contactId}`;
  return oneOf(own, sql`(u.properties -> ${key}::text)`, test, place);
}

/** One of several values fits; for a negative test, none does. `rows` is what follows `from`, up to its conditions. */
export function oneOf(rows: Sql, value: Sql, test: ValueTest, place: Place): Piece {
  const { positive, isNegative } = splitNegation(test);
  const { holds, next } = jsonTest(value, positive, place.now);
  const exists = sql`exists (select from ${rows} and ${holds})`;
  return {
    holds: isNegative ? not(exists) : exists,
    next: next && sql`(select min(${next}) from ${rows})`,
    value: sql`(select jsonb_agg(${value}) filter (where ${value} is not null) from ${rows})`,
  };
}

export function staticList({ listId }: StaticListCondition, place: Place): Piece {
  return {
    holds: sql`exists (select from list_member m where m.tenant_id = ${place.tenantId}
      and m.list_id = ${bytes(listId)}::bytea and m.contact_id = ${place.contactId})`,
  };
}

export function dynamicList({ listId }: DynamicListCondition, place: Place): Piece {
  const listNo = sql`(select l.list_no from dynamic_list l
    where l.tenant_id = ${place.tenantId} and l.list_id = ${bytes(listId)}::bytea)`;
  return {
    holds: sql`exists (select from dynamic_member m where m.tenant_id = ${place.tenantId}
      and m.list_no = ${listNo} and m.contact_id = ${place.contactId})`,
  };
}

/** The bucket of a contact, from 0 up to `of`. */
export function bucketSql(seed: string, of: number, contactId: Sql): Sql {
  const hash = sql`encode(sha256(convert_to(${`${seed}:`}::text || replace(${contactId}::text, '-', ''), 'UTF8')), 'hex')`;
  return sql`('x' || left(${hash}, 8))::bit(32)::bigint % ${of}::integer`;
}

export function bucket({ seed, of, from, to }: BucketCondition, place: Place): Piece {
  const share = bucketSql(seed, of, place.contactId);
  return { holds: sql`${share} between ${from}::integer and ${to}::integer` };
}
