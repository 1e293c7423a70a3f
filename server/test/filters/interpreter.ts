// Says which contacts match a filter, the slow and obvious way: one contact at a time, straight from the JSON that a client sends.
import { createHash } from 'node:crypto';
import { eventHolds, iso, isSoMany, marketingHolds, sequenceHolds } from './interpreter-events.js';
import { holdsOf, operatorOf, type Sent } from './interpreter-values.js';
import type { Contact, Json, Organization, Properties, World } from './world.js';

export function holds(filter: Sent, contact: Contact, world: World): boolean {
  const isTrue = (each: Sent) => holds(each, contact, world);
  if ('all' in filter) return filter.all.every(isTrue);
  if ('any' in filter) return filter.any.some(isTrue);
  if ('none' in filter) return !filter.none.some(isTrue);
  return conditionHolds(filter, contact, world);
}

/** Every group and condition in order, with its path; those inside a `where` are left out. */
export function nodesOf(filter: Sent, path = 'filter'): { path: string; node: Sent }[] {
  const parts = ['all', 'any', 'none'].flatMap((kind) =>
    ((filter[kind] ?? []) as Sent[]).flatMap((part, i) => nodesOf(part, `${path}.${kind}[${i}]`)),
  );
  return [{ path, node: filter }, ...parts];
}

function conditionHolds(condition: Sent, contact: Contact, world: World): boolean {
  const events = () => world.events.filter((event) => event.contactId === contact.id);
  if ('event' in condition) return eventHolds(condition, events(), world.now);
  if ('sequence' in condition) return sequenceHolds(condition, events(), world.now);
  if ('marketing' in condition) {
    const own = world.activity.filter((each) => each.contactId === contact.id);
    return marketingHolds(condition, own, world.now);
  }
  if ('unsubscribed' in condition) return (contact.properties.unsubscribed === true) === condition.unsubscribed;
  if ('topic' in condition) return topicHolds(condition, contact, world);
  if ('orgMembers' in condition) return orgMembersHold(condition.orgMembers, contact, world);
  if ('bucket' in condition) return isInBucket(condition.bucket, contact);
  if ('staticListId' in condition) return isOnList(world.staticLists, condition.staticListId, contact);
  if ('dynamicListId' in condition) return isOnList(world.dynamicLists, condition.dynamicListId, contact);
  const operator = operatorOf(condition);
  if (operator === 'hasEverBeen') return hasEverBeen(contact, condition.property, condition.hasEverBeen);
  // Emails are stored in lower case, so the operand is lowered too.
  const lower = (operand: Json): Json =>
    typeof operand === 'string' ? operand.toLowerCase() : Array.isArray(operand) ? operand.map(lower) : operand;
  const operand = condition.contact === 'email' ? lower(condition[operator]) : condition[operator];
  return holdsOf(valuesOf(condition, contact, world), operator, operand, world.now);
}

/** The values that a condition is about: one, or one per user or organization; missing ones are left out. */
function valuesOf(condition: Sent, contact: Contact, world: World): Json[] {
  if ('property' in condition) return own(contact.properties, condition.property);
  if ('contact' in condition) {
    const { email, createdAt, updatedAt } = contact;
    return own({ email, createdAt: iso(createdAt), updatedAt: iso(updatedAt) }, condition.contact);
  }
  if ('userProperty' in condition) {
    const users = world.users.filter((user) => user.contactId === contact.id);
    return users.flatMap((user) => own(user.properties, condition.userProperty));
  }
  const organizations = organizationsOf(contact, world);
  if ('orgProperty' in condition) return organizations.flatMap((org) => own(org.properties, condition.orgProperty));
  if ('organization' in condition) {
    return organizations.flatMap(({ orgId, name }) => own({ orgId, name }, condition.organization));
  }
  throw new Error(`Unknown subject: ${JSON.stringify(condition)}`);
}

function own(properties: Properties, key: string): Json[] {
  return Object.hasOwn(properties, key) ? [properties[key] as Json] : [];
}

function organizationsOf(contact: Contact, world: World): Organization[] {
  return world.organizations.filter((org) => membersOf(org, world).includes(contact));
}

/** Each contact once, however many users it has. */
function membersOf(org: Organization, world: World): Contact[] {
  const userIds = world.memberships.filter(({ orgId }) => orgId === org.orgId).map(({ userId }) => userId);
  return world.contacts.filter((contact) =>
    world.users.some((user) => user.contactId === contact.id && userIds.includes(user.userId)),
  );
}

function orgMembersHold(test: Sent, contact: Contact, world: World): boolean {
  return organizationsOf(contact, world).some((org) => {
    const matching = membersOf(org, world).filter((member) => holds(test.where, member, world));
    return isSoMany(test, matching.length);
  });
}

function hasEverBeen(contact: Contact, key: string, wanted: Json): boolean {
  const past = Object.hasOwn(contact.past, key) ? (contact.past[key] as readonly Json[]) : [];
  return [...own(contact.properties, key), ...past].some((value) => holdsOf([value], 'is', wanted, 0));
}

function isInBucket({ seed, of, from, to }: Sent, contact: Contact): boolean {
  const digest = createHash('sha256').update(`${seed}:${contact.id}`).digest('hex');
  const share = Number.parseInt(digest.slice(0, 8), 16) % of;
  return from <= share && share <= to;
}

function topicHolds({ topic, is, isNot }: Sent, contact: Contact, world: World): boolean {
  const { said, byDefault } = world.topics.find(({ id }) => id === topic) as World['topics'][number];
  const state = said[contact.id] ?? byDefault;
  return is === undefined ? state !== isNot : state === is;
}

function isOnList(lists: World['staticLists'], id: string, contact: Contact): boolean {
  return lists.some((list) => list.id === id && list.members.includes(contact.id));
}
