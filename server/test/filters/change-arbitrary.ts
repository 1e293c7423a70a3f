// One change of a world, and the news that the service would announce about it: who changed, and what.
import { topicStates } from '@rapport/contract';
import fc from 'fast-check';
import { topicKey } from '../../src/features/consent/index.js';
import { marketingKeys } from '../../src/features/messages/subjects/index.js';
import * as of from './alphabets.js';
import type { Activity, Contact, Event, Json, World } from './world.js';

interface Change {
  readonly after: World;
  /** By contact: what changed, by the names in the index of what filters read. */
  readonly marks: ReadonlyMap<string, string>;
}

const drawn = fc.record({
  who: fc.nat({ max: 7 }),
  key: fc.constantFrom(...of.propertyKeys),
  value: of.storedValue,
  at: of.moment,
  name: of.eventName,
  eventProperties: of.eventProperties,
  list: fc.nat({ max: 1 }),
  unsubscribed: of.unsubscribed,
  what: fc.constantFrom(...of.activityNames),
  isMachine: fc.boolean(),
  state: fc.constantFrom(...topicStates),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const turn = <T>(list: readonly T[], who: number) => list[who % list.length];
const marked = (mark: string, ...ids: (string | undefined)[]) =>
  new Map(ids.filter((id) => id !== undefined).map((id) => [id, mark]));

const kinds: readonly ((world: World, by: Drawn) => Change | undefined)[] = [
  (world, { who, key, value }) => {
    const target = turn(world.contacts, who) as Contact;
    const past = { ...target.past, [key]: [...(target.past[key] ?? []), target.properties[key] ?? null] };
    const changed = { ...target, properties: { ...target.properties, [key]: value }, past };
    return changeContact(world, target, changed, `property:${key}`);
  },
  (world, { who, at }) => {
    const target = turn(world.contacts, who) as Contact;
    return changeContact(world, target, { ...target, updatedAt: at }, 'contact:updatedAt');
  },
  (world, { who, key, value }) => {
    const target = turn(world.users, who);
    const users = world.users.map((user) =>
      user === target ? { ...user, properties: { ...user.properties, [key]: value } } : user,
    );
    return target && { after: { ...world, users }, marks: marked(`user:${key}`, target.contactId) };
  },
  (world, { who, key, value }) => changeOrganization(world, who, `org:${key}`, { [key]: value }),
  (world, { who }) => changeOrganization(world, who, 'orgField:name', {}),
  (world, { who }) => {
    const [user, org] = [turn(world.users, who), turn(world.organizations, who)];
    if (!user || !org) return undefined;
    const others = world.memberships.filter((each) => each.userId !== user.userId || each.orgId !== org.orgId);
    const isMember = others.length < world.memberships.length;
    const memberships = isMember ? others : [...others, { userId: user.userId, orgId: org.orgId }];
    return { after: { ...world, memberships }, marks: marked('orgs', user.contactId) };
  },
  (world, { who, at, name, eventProperties }) => {
    const contactId = (turn(world.contacts, who) as Contact).id;
    const ids = { contactId, userId: null, orgId: null };
    const event: Event = { ...ids, at, name, no: world.events.length, properties: eventProperties };
    return { after: { ...world, events: [...world.events, event] }, marks: marked(`event:${name}`, contactId) };
  },
  (world, { who, unsubscribed }) => {
    const target = turn(world.contacts, who) as Contact;
    const changed = { ...target, properties: { ...target.properties, unsubscribed } };
    return changeContact(world, target, changed, 'property:unsubscribed');
  },
  (world, { who, at, what, isMachine }) => {
    const contactId = (turn(world.contacts, who) as Contact).id;
    const [mark = ''] = marketingKeys(what);
    const rest = { emailId: of.emailIds[0], journeyId: null, linkUrl: of.linkUrls[0], isMachine };
    const row: Activity = { contactId, at, what, no: world.activity.length, ...rest };
    return { after: { ...world, activity: [...world.activity, row] }, marks: marked(mark, contactId) };
  },
  // A click that turns out to be a machine's, or a person's after all.
  (world, { who }) => {
    const target = turn(world.activity, who);
    if (!target) return undefined;
    const [mark = ''] = marketingKeys(target.what);
    const activity = world.activity.map((each) => (each === target ? { ...each, isMachine: !each.isMachine } : each));
    return { after: { ...world, activity }, marks: marked(mark, target.contactId) };
  },
  (world, { who, list, state }) => {
    const contactId = (turn(world.contacts, who) as Contact).id;
    const target = turn(world.topics, list);
    if (!target) return undefined;
    const changed = { ...target, said: { ...target.said, [contactId]: state } };
    const topics = world.topics.map((topic) => (topic === target ? changed : topic));
    return { after: { ...world, topics }, marks: marked(topicKey(target.id), contactId) };
  },
  (world, by) => changeList(world, by, 'staticLists', 'static'),
  (world, by) => changeList(world, by, 'dynamicLists', 'dynamic'),
];

function changeContact(world: World, target: Contact, changed: Contact, mark: string): Change {
  const contacts = world.contacts.map((contact) => (contact === target ? changed : contact));
  return { after: { ...world, contacts }, marks: marked(mark, target.id) };
}

/** There is news for its members. */
function changeOrganization(world: World, who: number, mark: string, values: Record<string, Json>): Change | undefined {
  const target = turn(world.organizations, who);
  if (!target) return undefined;
  const name = mark === 'orgField:name' ? `${target.name}a` : target.name;
  const changed = { ...target, name, properties: { ...target.properties, ...values } };
  const organizations = world.organizations.map((org) => (org === target ? changed : org));
  const members = world.memberships.filter((each) => each.orgId === target.orgId).map((each) => each.userId);
  const told = world.users.filter((user) => members.includes(user.userId)).map((user) => user.contactId);
  return { after: { ...world, organizations }, marks: marked(mark, ...told) };
}

function changeList(world: World, { who, list }: Drawn, kind: 'staticLists' | 'dynamicLists', mark: string): Change {
  const contactId = (turn(world.contacts, who) as Contact).id;
  const target = world[kind][list] as World['staticLists'][number];
  const others = target.members.filter((id) => id !== contactId);
  const members = others.length < target.members.length ? others : [...others, contactId];
  const lists = world[kind].map((each) => (each === target ? { ...each, members } : each));
  return { after: { ...world, [kind]: lists }, marks: marked(`${mark}:${target.id}`, contactId) };
}

export const changes: fc.Arbitrary<(world: World) => Change> = fc.tuple(fc.constantFrom(...kinds), drawn).map(
  ([change, by]) =>
    (world: World) =>
      change(world, by) ?? { after: world, marks: new Map() },
);
