import { type TopicState, topicDefaults, topicStates } from '@rapport/contract';
import fc from 'fast-check';
import * as of from './alphabets.js';
import type { Activity, Contact, Event, Json, World } from './world.js';

const past = fc.array(fc.oneof(of.storedValue, fc.constant(null)), { minLength: 1, maxLength: 2 });

const contact = fc.record({
  properties: of.properties,
  past: fc.dictionary(fc.constantFrom(...of.propertyKeys), past, { maxKeys: 2 }),
  createdAt: of.moment,
  updatedAt: of.moment,
});

const event = fc.record({
  who: fc.nat({ max: 7 }),
  // Many at the same time: then the order of arrival decides.
  at: fc.oneof(of.moment, fc.constantFrom(of.noon, of.noon - 60_000, of.noon - 3_600_000)),
  name: fc.constantFrom('open', 'open', 'buy', 'buy', ...of.eventNames),
  userId: fc.constantFrom(null, ...of.userIds),
  orgId: fc.constantFrom(null, ...of.orgIds),
  properties: of.eventProperties,
});

const activity = fc.record({
  who: fc.nat({ max: 7 }),
  at: of.moment,
  what: of.activityName,
  emailId: fc.constantFrom(null, ...of.emailIds),
  journeyId: fc.constantFrom(null, ...of.journeyIds),
  linkUrl: fc.constantFrom(null, ...of.linkUrls),
  isMachine: fc.boolean(),
});

const members = fc.subarray(of.contactIds);
const said = fc.dictionary(fc.constantFrom(...of.contactIds), fc.constantFrom(...topicStates));

/** Ids are the same in every world, so that reading another tenant's rows shows. */
export const worlds: fc.Arbitrary<World> = fc
  .record({
    now: fc.oneof(
      { weight: 3, arbitrary: fc.constant(of.noon) },
      { weight: 1, arbitrary: of.moment.filter((at) => Math.abs(at - of.noon) < 40 * 86_400_000) },
    ),
    contacts: fc.array(contact, { minLength: 1, maxLength: 8, size: 'max' }),
    users: fc.array(fc.record({ who: fc.nat({ max: 7 }), properties: of.properties }), { maxLength: 6, size: 'max' }),
    organizations: fc.array(fc.record({ name: of.someText, properties: of.properties }), { maxLength: 3, size: 'max' }),
    memberships: fc.subarray(of.orgIds.flatMap((orgId) => of.userIds.map((userId) => ({ orgId, userId })))),
    events: fc.array(event, { maxLength: 60, size: 'max' }),
    activity: fc.array(activity, { maxLength: 60, size: 'max' }),
    staticMembers: fc.tuple(members, members),
    dynamicMembers: fc.tuple(members, members),
    said: fc.tuple(said, said),
  })
  .map((drawn) => {
    const contacts = drawn.contacts.map(
      (each, i): Contact => ({
        ...each,
        id: of.contactIds[i] as string,
        email: of.emails[i] as string,
        past: each.past,
      }),
    );
    const someone = (who: number) => (contacts[who % contacts.length] as Contact).id;
    const known = (ids: readonly string[]) => ids.filter((id) => contacts.some((each) => each.id === id));
    const users = drawn.users.map(({ who, properties }, i) => ({
      userId: of.userIds[i] as string,
      contactId: someone(who),
      properties,
    }));
    const organizations = drawn.organizations.map((each, i) => ({ ...each, orgId: of.orgIds[i] as string }));
    return {
      now: drawn.now,
      contacts,
      users,
      organizations,
      memberships: drawn.memberships.filter(
        ({ orgId, userId }) =>
          organizations.some((org) => org.orgId === orgId) && users.some((user) => user.userId === userId),
      ),
      events: drawn.events.map(({ who, ...each }, no): Event => ({ ...each, contactId: someone(who), no })),
      activity: drawn.activity.map(({ who, ...each }, no): Activity => ({ ...each, contactId: someone(who), no })),
      staticLists: of.staticListIds.map((id, i) => ({ id, members: known(drawn.staticMembers[i] as string[]) })),
      dynamicLists: of.dynamicListIds.map((id, i) => ({ id, members: known(drawn.dynamicMembers[i] as string[]) })),
      topics: of.topicIds.map((id, i) => ({
        id,
        byDefault: topicDefaults[i] as TopicState,
        said: Object.fromEntries(Object.entries(drawn.said[i] ?? {}).filter(([who]) => known([who]).length > 0)),
      })),
    };
  });

/** The changes of a property, oldest first: its values before and after. */
export function changesOf(contact: Contact): { field: string; was: Json; became: Json }[] {
  return Object.entries(contact.past).flatMap(([field, past]) => {
    const now = Object.hasOwn(contact.properties, field) ? (contact.properties[field] as Json) : null;
    return past.map((was, i) => ({ field, was, became: i + 1 < past.length ? (past[i + 1] as Json) : now }));
  });
}
