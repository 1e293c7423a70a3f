// The world of a small customer, and the filters it might use: 45 people in 7 organizations. Every time is hours away from
// the end of any window, so that a filter gives the same result for as long as a test takes.
import fc from 'fast-check';
import type { Sent } from './interpreter-values.js';
import type { Json, World } from './world.js';

const day = 86_400_000;
const one = <T>(values: readonly T[]) => fc.constantFrom(...values);
const orgIds = Array.from({ length: 7 }, (_, i) => `org-${i}`);
const userIds = Array.from({ length: 60 }, (_, i) => `user-${i}`);
const names = ['login', 'export', 'invite'];
const plans = ['pro', 'free', 'Team'];
const durations = ['P1D', 'P7D', 'P30D', 'P365D'];
/** Whole days plus a half from now, in days. */
const away = fc.integer({ min: -400, max: 400 }).map((days) => days + 0.5);
const isoAt = (now: number, days: number) => new Date(now + days * day).toISOString();

const drawn = fc.record({
  contacts: fc.array(fc.record({ plan: fc.option(one(plans)), seats: fc.nat({ max: 20 }), renewal: fc.option(away) }), {
    ...{ minLength: 45, maxLength: 45, size: 'max' as const },
  }),
  users: fc.array(fc.record({ who: fc.nat({ max: 44 }), seats: fc.nat({ max: 20 }), renewal: away }), {
    ...{ minLength: 60, maxLength: 60, size: 'max' as const },
  }),
  orgs: fc.array(fc.record({ plan: one(plans), seats: fc.nat({ max: 20 }), renewal: fc.option(away) }), {
    ...{ minLength: 7, maxLength: 7 },
  }),
  memberships: fc.subarray(
    orgIds.flatMap((orgId) => userIds.map((userId) => ({ orgId, userId }))),
    { minLength: 60, maxLength: 100 },
  ),
  events: fc.array(
    fc.record({
      who: fc.nat({ max: 44 }),
      days: fc.integer({ min: 0, max: 100 }),
      name: one(names),
      total: fc.nat(50),
    }),
    { minLength: 150, maxLength: 150, size: 'max' },
  ),
});

export function livedWorlds(now: number): fc.Arbitrary<World> {
  const told = (plan: string | null, seats: number, renewal: number | null): Record<string, Json> => ({
    ...(plan === null ? {} : { plan }),
    seats,
    ...(renewal === null ? {} : { renewal: isoAt(now, renewal) }),
  });
  const idOf = (n: number) => `0190b${n.toString(16).padStart(7, '0')}70008000${'0'.repeat(12)}`;
  return drawn.map(({ contacts, users, orgs, memberships, events }) => ({
    now,
    contacts: contacts.map(({ plan, seats, renewal }, i) => ({
      ...{ id: idOf(i), email: `person${i}@x.test`, properties: told(plan, seats, renewal), past: {} },
      ...{ createdAt: now - 50.5 * day, updatedAt: now - 3.5 * day },
    })),
    users: users.map(({ who, seats, renewal }, i) => ({
      ...{ userId: `user-${i}`, contactId: idOf(who), properties: told(null, seats, renewal) },
    })),
    organizations: orgs.map(({ plan, seats, renewal }, i) => ({
      ...{ orgId: `org-${i}`, name: `Engines ${i}`, properties: told(plan, seats, renewal) },
    })),
    memberships,
    events: events.map(({ who, days, name, total }, no) => ({
      ...{ contactId: idOf(who), at: now - (days + 0.5) * day - no, no, name, userId: null, orgId: null },
      properties: { total },
    })),
    ...{ activity: [], staticLists: [], dynamicLists: [], topics: [] },
  }));
}

const operator = (name: string, operand: fc.Arbitrary<unknown>) => operand.map((value): Sent => ({ [name]: value }));
const several = (ops: readonly string[], operand: fc.Arbitrary<unknown>) =>
  fc.oneof(...ops.map((op) => operator(op, operand)));
const onText = fc.oneof(
  several(['is', 'isNot'], one(plans)),
  several(['in', 'notIn'], fc.subarray(plans, { minLength: 1 })),
  several(['contains', 'notContains', 'startsWith', 'endsWith'], one(['pro', 'E', 'r', 'am'])),
  operator('matches', one(['p*', '?r*', 'TEAM', '*e*'])),
  operator('exists', fc.boolean()),
);
const onNumber = fc.oneof(
  several(['lt', 'lte', 'gt', 'gte'], fc.nat({ max: 20 })),
  operator('between', one([[2, 9] as const, [5, 18] as const])),
);
const onTime = fc.oneof(
  several(['withinLast', 'notWithinLast', 'withinNext'], one(durations)),
  several(['before', 'after'], one(['2020-01-01', '2050-01-01'])),
);
const asked = (subject: string) =>
  fc.oneof(
    onText.map((op): Sent => ({ [subject]: 'plan', ...op })),
    onNumber.map((op): Sent => ({ [subject]: 'seats', ...op })),
    onTime.map((op): Sent => ({ [subject]: 'renewal', ...op })),
  );
const counts = one<Sent>([{}, { atLeast: 2 }, { atMost: 1 }, { atLeast: 1, atMost: 3 }]);
const onEvents = fc.oneof(
  fc
    .record({
      event: one(names),
      count: counts,
      window: one<Sent>([{}, ...durations.map((withinLast) => ({ withinLast }))]),
    })
    .map(({ event, count, window }): Sent => ({ event, ...count, ...window })),
  fc
    .record({ event: one(names), measure: one(['sum', 'max', 'min', 'avg']), gt: fc.nat({ max: 60 }) })
    .map((each): Sent => ({ ...each, of: 'total' })),
  fc.record({ event: one(names), measure: one(['first', 'last']), notWithinLast: one(durations) }),
  fc
    .tuple(one(names), one(names), one(durations))
    .map(([first, then, within]): Sent => ({ sequence: [{ event: first }, { event: then, within }] })),
);
const condition = fc.oneof(
  ...['property', 'userProperty', 'orgProperty', 'orgProperty'].map(asked),
  one(['org-1', 'org-2', 'Engines 3']).map(
    (is): Sent => ({ organization: is.startsWith('org') ? 'orgId' : 'name', is }),
  ),
  onTime.map((op): Sent => ({ contact: 'createdAt', ...op })),
  onEvents,
);
const grouped = (part: fc.Arbitrary<Sent>) =>
  fc.oneof(part, several(['all', 'any', 'none'], fc.array(part, { minLength: 1, maxLength: 3 })));
const members = fc
  .tuple(grouped(condition), counts)
  .map(([where, count]): Sent => ({ orgMembers: { where, ...count } }));

/** Half of them count members of organizations. */
export const livedFilters: fc.Arbitrary<Sent> = fc.oneof(
  members,
  fc.oneof(several(['all', 'any', 'none'], fc.array(fc.oneof(members, condition), { minLength: 1, maxLength: 3 }))),
  grouped(condition),
);
