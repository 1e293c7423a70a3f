// What is known of the contact itself, its product users, and the lists that it is in.
import { bytes, type Sql, sql } from '../../../db/sql.js';
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
import { some } from './fragments.js';
import { timeJson } from './moments.js';
import type { Place } from './place.js';
import { oneOf, RowScan, type RowSource, someRow, totalsOf } from './row-scan.js';
import { jsonIs, jsonTest, textTest, timeTest } from './value-tests.js';

export function property({ key, test }: PropertyCondition, place: Place): Piece {
  const value = sql`(${place.contact}.properties -> ${key}::text)`;
  if (test.op !== 'hasEverBeen') return { ...jsonTest(value, test, place.now), value };
  // What a contact was created with is the old value of the first change.
  const wanted = sql`${JSON.stringify(test.value)}::jsonb`;
  const was = sql`h.field = ${key} and (h.old_value @> ${wanted} or h.new_value @> ${wanted})`;
  const before = someRow(RowScan.of('history', history, place, key), was);
  return { holds: some([jsonIs(value, test.value), before]), value };
}

const history: RowSource = (asked, on) => sql`select h.contact_id, ${totalsOf(asked)} from contact_change h
  where h.tenant_id = ${on.tenant} and ${on.scope(sql`h.contact_id`)} and h.field = any(${asked.places}::text[])
  group by h.contact_id`;

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
  return oneOf(RowScan.of('users', users, place), sql`(u.properties -> ${key}::text)`, test, place);
}

const users: RowSource = (asked, on) => sql`select u.contact_id, ${totalsOf(asked)} from product_user u
  where u.tenant_id = ${on.tenant} and ${on.scope(sql`u.contact_id`)} group by u.contact_id`;

export function staticList({ listId }: StaticListCondition, place: Place): Piece {
  const list = bytes(listId);
  return { holds: someRow(RowScan.of('static lists', staticMembers, place, list), sql`m.list_id = ${list}::bytea`) };
}

const staticMembers: RowSource = (asked, on) => sql`select m.contact_id, ${totalsOf(asked)} from list_member m
  where m.tenant_id = ${on.tenant} and m.list_id = any(${asked.places}::bytea[]) and ${on.scope(sql`m.contact_id`)}
  group by m.contact_id`;

export function dynamicList({ listId }: DynamicListCondition, place: Place): Piece {
  const list = bytes(listId);
  const isIn = sql`m.list_no = (select l.list_no from dynamic_list l
    where l.tenant_id = ${place.tenant} and l.list_id = ${list}::bytea)`;
  return { holds: someRow(RowScan.of('dynamic lists', dynamicMembers, place, list), isIn) };
}

const dynamicMembers: RowSource = (asked, on) => sql`select m.contact_id, ${totalsOf(asked)} from dynamic_member m
  where m.tenant_id = ${on.tenant} and ${on.scope(sql`m.contact_id`)} and m.list_no = any(array(
    select l.list_no from dynamic_list l where l.tenant_id = ${on.tenant} and l.list_id = any(${asked.places}::bytea[])))
  group by m.contact_id`;

/** The bucket of a contact, from 0 up to `of`. */
export function bucketSql(seed: string, of: number, contactId: Sql): Sql {
  const hash = sql`encode(sha256(convert_to(${`${seed}:`}::text || replace(${contactId}::text, '-', ''), 'UTF8')), 'hex')`;
  return sql`('x' || left(${hash}, 8))::bit(32)::bigint % ${of}::integer`;
}

export function bucket({ seed, of, from, to }: BucketCondition, place: Place): Piece {
  const share = bucketSql(seed, of, place.contactId);
  return { holds: sql`${share} between ${from}::integer and ${to}::integer` };
}
