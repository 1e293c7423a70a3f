// Conditions on contacts: finds the subject and reads what belongs to it.
import {
  contactFields,
  filterLimits,
  isOperator,
  namesOf,
  organizationFields,
  propertyOperators,
  type SubjectName,
} from '@rapport/contract';
import { normalizeEmail } from '../../lib/text.js';
import { FilterFault, placeOf } from './fault.js';
import { readEvent } from './read-event.js';
import { readSequence } from './read-sequence.js';
import { readTest } from './read-test.js';
import { type ReadCondition, type Reading, readTree } from './read-tree.js';
import {
  type Fields,
  has,
  quoted,
  readAssetId,
  readObject,
  readOneOf,
  readPropertyKey,
  readText,
  readWanted,
  readWhole,
  refuseOthers,
} from './read-value.js';
import { readCount } from './read-window.js';
import type { BucketCondition, Condition, ContactCondition, OrgMembersCondition, ValueTest } from './tree.js';

/** The subjects that other features register. */
type Registered = 'marketing' | 'unsubscribed' | 'topic' | 'journeyId';

const ownReaders: Readonly<Record<Exclude<SubjectName, Registered>, ReadCondition<Condition>>> = {
  property: readProperty,
  contact: readContact,
  userProperty: readOwned('userProperty'),
  orgProperty: readOwned('orgProperty'),
  organization: readOrganization,
  orgMembers: readOrgMembers,
  event: readEvent,
  sequence: readSequence,
  staticListId: readListId('staticList'),
  dynamicListId: readListId('dynamicList'),
  bucket: readBucket,
};
const readers = new Map(Object.entries(ownReaders));

export function readCondition(fields: Fields, path: string, reading: Reading): Condition {
  const key = findSubject(fields, path, reading);
  const subject = reading.subjects.of(key);
  if (subject) return { kind: 'registered', path, subject, spec: subject.read(fields, path) };
  const read = readers.get(key);
  if (!read) throw new Error(`No reader for ${key}`);
  return read(fields, path, reading);
}

function findSubject(fields: Fields, path: string, { subjects }: Reading): string {
  const keys = Object.keys(fields);
  const known = keys.filter((key) => readers.has(key) || subjects.of(key));
  const taken = known.flatMap((key) => subjects.of(key)?.also ?? []);
  const found = known.filter((key) => !taken.includes(key));
  const [key] = found;
  if (found.length > 1) throw new FilterFault(path, `one subject is wanted, not ${quoted(found, 'and')}`);
  if (key !== undefined) return key;
  const [other] = keys.filter((one) => !isOperator(one));
  if (other !== undefined) throw new FilterFault(placeOf(path, other), 'not known here');
  const all = quoted([...readers.keys(), ...subjects.keys]);
  throw new FilterFault(path, `a group ("all", "any", "none") or a condition is wanted; a condition has ${all}`);
}

function readProperty(fields: Fields, path: string): Condition {
  const key = readPropertyKey(fields.property, placeOf(path, 'property'));
  return { kind: 'property', path, key, test: readTest(fields, path, ['property'], propertyOperators) };
}

function readOwned(kind: 'userProperty' | 'orgProperty') {
  return (fields: Fields, path: string): Condition => {
    const key = readPropertyKey(fields[kind], placeOf(path, kind));
    return { kind, path, key, test: readTest(fields, path, [kind]) };
  };
}

function readContact(fields: Fields, path: string): ContactCondition {
  const field = readOneOf(namesOf(contactFields))(fields.contact, placeOf(path, 'contact'));
  const test = readTest(fields, path, ['contact'], contactFields[field]);
  if (field !== 'email') return { kind: 'contact', path, field, test };
  return { kind: 'contact', path, field, test: readEmailTest(test, placeOf(path, test.op)) };
}

/** Emails are stored trimmed and in lower case. A part of one is looked for as it is, but for the case. */
function readEmailTest(test: ValueTest, path: string): ValueTest {
  if ('text' in test) return { ...test, text: test.text.toLowerCase() };
  if ('values' in test) return { ...test, values: test.values.map((value, i) => readEmail(value, `${path}[${i}]`)) };
  if (test.op === 'is' || test.op === 'isNot') return { ...test, value: readEmail(test.value, path) };
  return test;
}

function readEmail(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new FilterFault(path, 'a text is wanted');
  return normalizeEmail(value);
}

function readOrganization(fields: Fields, path: string): Condition {
  const field = readOneOf(namesOf(organizationFields))(fields.organization, placeOf(path, 'organization'));
  return {
    kind: 'organization',
    path,
    field,
    test: readTest(fields, path, ['organization'], organizationFields[field]),
  };
}

function readOrgMembers(condition: Fields, path: string, reading: Reading): OrgMembersCondition {
  refuseOthers(condition, path, ['orgMembers']);
  const place = placeOf(path, 'orgMembers');
  const fields = readObject(condition.orgMembers, place);
  refuseOthers(fields, place, ['where', 'atLeast', 'atMost']);
  const count = readCount(fields, place);
  const where = readWanted(fields, place, 'where', (json, at) => readTree(json, at, reading, readMemberCondition));
  return { kind: 'orgMembers', path, where, count };
}

// Refused before it is read: however deep they are nested, only the first is looked at.
function readMemberCondition(fields: Fields, path: string, reading: Reading): Condition {
  if (!has(fields, 'orgMembers')) return readCondition(fields, path, reading);
  throw new FilterFault(placeOf(path, 'orgMembers'), 'a "where" has no "orgMembers" of its own');
}

function readListId(kind: 'staticList' | 'dynamicList') {
  const key = `${kind}Id`;
  const readId = readAssetId(kind === 'staticList' ? 'a static list' : 'a dynamic list');
  return (fields: Fields, path: string): Condition => {
    refuseOthers(fields, path, [key]);
    return { kind, path, listId: readId(fields[key], placeOf(path, key)) };
  };
}

function readBucket(condition: Fields, path: string): BucketCondition {
  refuseOthers(condition, path, ['bucket']);
  const place = placeOf(path, 'bucket');
  const fields = readObject(condition.bucket, place);
  refuseOthers(fields, place, ['seed', 'of', 'from', 'to']);
  const seed = readWanted(fields, place, 'seed', readText);
  const of = readWanted(fields, place, 'of', (value, at) => readWhole(value, at, 1, filterLimits.buckets));
  const from = readWanted(fields, place, 'from', (value, at) => readWhole(value, at, 0, of - 1));
  const to = readWanted(fields, place, 'to', (value, at) => readWhole(value, at, 0, of - 1));
  if (from > to) throw new FilterFault(placeOf(place, 'from'), 'the bounds are reversed: "from" is more than "to"');
  return { kind: 'bucket', path, seed, of, from, to };
}
