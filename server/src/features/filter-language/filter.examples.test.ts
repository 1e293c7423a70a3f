// Sentences of the filter language that are easy to read wrongly, each with whom it means: asked of the compiler and of the interpreter.
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { holds } from '../../../test/filters/interpreter.js';
import type { Sent } from '../../../test/filters/interpreter-values.js';
import { appSubjects } from '../../../test/filters/subjects.js';
import type { Activity, Contact, Event, Properties, World } from '../../../test/filters/world.js';
import { writeWorld } from '../../../test/filters/write-world.js';
import { sql, unnamed } from '../../db/sql.js';
import { compile } from './compile/index.js';
import { readFilter } from './read.js';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const minute = 60_000;

const idOf = (name: string) => Buffer.from(name.padEnd(16, '.')).toString('hex');
const contact = (name: string, properties: Properties, past: Contact['past'] = {}): Contact => ({
  ...{ id: idOf(name), email: `${name}@x.test`, properties, past },
  ...{ createdAt: now - 60 * minute, updatedAt: now },
});
let arrived = 0;
const event = (who: string, name: string, minutes: number, properties: Properties | null = null): Event => ({
  ...{ contactId: idOf(who), name, at: now + minutes * minute, no: arrived++ },
  ...{ userId: null, orgId: null, properties },
});
const mail = (who: string, what: Activity['what'], minutes: number, more: Partial<Activity> = {}): Activity => ({
  ...{ contactId: idOf(who), what, at: now + minutes * minute, no: arrived++ },
  ...{ emailId: null, journeyId: null, linkUrl: null, isMachine: false, ...more },
});
const emailId = 'e'.repeat(24);
const user = (userId: string, who: string, properties: Properties) => ({ userId, contactId: idOf(who), properties });

const world: World = {
  now,
  contacts: [
    contact('ann', { n: 10, tags: ['a', 'B'], at: '2026-03-01T12:00:00Z' }, { plan: ['free', null] }),
    contact('bob', { n: '10', tags: [], at: '2026-02-30', city: 'STRAẞE', unsubscribed: true }),
    contact('cid', { n: [1, 10], at: '2026-03-01T13:00:00+01:00', city: 'straße', word: 'ςα' }),
  ],
  users: [user('u1', 'ann', { role: 'admin' }), user('u2', 'ann', { role: 'guest' }), user('u3', 'bob', {})],
  organizations: [
    { orgId: 'o1', name: 'Acme', properties: { seats: 5 } },
    { orgId: 'o2', name: '2026-01-01', properties: {} },
  ],
  memberships: [
    { orgId: 'o1', userId: 'u1' },
    { orgId: 'o1', userId: 'u2' },
    { orgId: 'o1', userId: 'u3' },
    { orgId: 'o2', userId: 'u3' },
  ],
  events: [
    event('ann', 'open', -30, { v: 0.1, list: [7], cart: { total: 5 } }),
    event('ann', 'open', -30, { v: 0.2, list: [7], cart: { total: null } }),
    event('ann', 'buy', -20),
    event('ann', 'open', 1, { v: 100 }),
    event('bob', 'buy', -30),
    event('bob', 'open', -30, { v: '1', cart: [{ total: 5 }] }),
    event('cid', 'open', -60, { cart: { total: 5 } }),
  ],
  activity: [
    mail('ann', 'opened', -30, { emailId }),
    mail('ann', 'opened', -20, { isMachine: true }),
    mail('ann', 'opened', 1),
    mail('ann', 'clicked', -20, { linkUrl: 'https://x.test/A', emailId }),
    mail('bob', 'opened', -20, { isMachine: true, emailId }),
    mail('bob', 'unsubscribed', -10),
    mail('cid', 'bounced', -60),
    // No machine is unsubscribed: what is said of opens and clicks is not said of this.
    mail('cid', 'unsubscribed', -60, { isMachine: true }),
  ],
  staticLists: [],
  dynamicLists: [],
  topics: [],
};

const examples: [string, Sent, string[]][] = [
  ['a text is not the number that it spells', { property: 'n', is: 10 }, ['ann', 'cid']],
  ['isNot of a list: no element is it', { property: 'n', isNot: 1 }, ['ann', 'bob']],
  ['a negative operator is true for a missing value', { property: 'city', notContains: 'x' }, ['ann', 'bob', 'cid']],
  ['an empty list is there', { property: 'tags', exists: true }, ['ann', 'bob']],
  ['an empty list holds nothing', { property: 'tags', in: ['a', 'b'] }, ['ann']],
  ['case counts in is', { property: 'tags', is: 'b' }, []],
  ['case does not count in contains', { property: 'tags', contains: 'b' }, ['ann']],
  ['ß and its capital are one letter, and not two', { property: 'city', endsWith: 'ße' }, ['bob', 'cid']],
  ['an asterisk is any text, and the rest is literal', { property: 'city', matches: '*ß?' }, ['bob', 'cid']],
  ['a pattern is about the whole text', { property: 'city', matches: 'stra' }, []],
  ['ß is not ss', { property: 'city', contains: 'strasse' }, []],
  ['a final sigma is a sigma', { property: 'word', startsWith: 'Σ' }, ['cid']],
  ['both ends of a window belong to it', { property: 'at', withinNext: 'PT1S' }, ['ann', 'cid']],
  ['a day that does not exist is no time', { property: 'at', notWithinLast: 'PT1S' }, ['bob']],
  ['what once was counts', { property: 'plan', hasEverBeen: 'free' }, ['ann']],
  ['one of the users has it', { userProperty: 'role', is: 'guest' }, ['ann']],
  ['a negative operator: none of the users has it', { userProperty: 'role', isNot: 'guest' }, ['bob', 'cid']],
  ['a name of an organization may read as a time', { organization: 'name', before: '2026-02-01' }, ['bob']],
  ['a name of an organization is never a number', { organization: 'orgId', lt: 10 }, []],
  ['belongs to none', { organization: 'orgId', exists: false }, ['cid']],
  [
    'a contact with two users is one member',
    { orgMembers: { where: { all: [] }, atLeast: 2, atMost: 2 } },
    ['ann', 'bob'],
  ],
  [
    'atMost alone includes none, but not contacts without an organization',
    { orgMembers: { where: { any: [] }, atMost: 0 } },
    ['ann', 'bob'],
  ],
  ['an event later than now does not count', { event: 'open', atLeast: 3 }, []],
  ['never', { event: 'buy', exactly: 0 }, ['cid']],
  ['decimals are added as people write them', { event: 'open', measure: 'sum', of: 'v', is: 0.3 }, ['ann']],
  ['the sum of none is missing', { event: 'open', measure: 'sum', of: 'v', lte: 0 }, []],
  ['a list is one value', { event: 'open', measure: 'distinct', of: 'list', exactly: 1 }, ['ann']],
  ['a null is missing', { event: 'open', measure: 'latest', of: ['cart', 'total'], is: 5 }, ['cid']],
  [
    'a path never enters a list',
    { event: 'open', where: { eventProperty: ['cart', 'total'], exists: true } },
    ['ann', 'cid'],
  ],
  [
    'no such event: its last time is missing',
    { event: 'buy', measure: 'last', notWithinLast: 'PT1M' },
    ['ann', 'bob', 'cid'],
  ],
  [
    'of two at one time the one that arrived later is later',
    { sequence: [{ event: 'buy' }, { event: 'open' }] },
    ['bob'],
  ],
  ['within includes its end', { sequence: [{ event: 'open' }, { event: 'buy', within: 'PT10M' }] }, ['ann']],
  [
    'without such an event, strictly after the time has passed',
    { sequence: [{ event: 'open' }, { event: 'buy', within: 'PT30M', not: true }] },
    ['cid'],
  ],
  ['a machine opened it: that is no open', { marketing: 'opened' }, ['ann']],
  ['unless machines are to count, beside people', { marketing: 'opened', machine: true, atLeast: 1 }, ['ann', 'bob']],
  ['both of them are counted', { marketing: 'opened', machine: true, exactly: 2 }, ['ann']],
  ['machine: false is as without', { marketing: 'opened', machine: false, exactly: 1 }, ['ann']],
  ['never opened', { marketing: 'opened', exactly: 0 }, ['bob', 'cid']],
  ['what is said of machines is of opens and clicks', { marketing: 'unsubscribed' }, ['bob', 'cid']],
  ['an open later than now does not count', { marketing: 'opened', from: '2026-03-01T12:00:00Z' }, []],
  ['both ends of a window of opens belong to it', { marketing: 'opened', withinLast: 'PT30M' }, ['ann']],
  ['and what is before it does not', { marketing: 'opened', withinLast: 'PT29M59S' }, []],
  ['to the millisecond, as a period', { marketing: 'opened', to: '2026-03-01T11:30:00Z' }, ['ann']],
  ['too early by one', { marketing: 'opened', to: '2026-03-01T11:29:59.999Z' }, []],
  ['of one email', { marketing: 'opened', emailId, machine: true }, ['ann', 'bob']],
  ['case counts in a link', { marketing: 'clicked', linkUrl: 'https://x.test/a' }, []],
  ['a link as it stands in the email', { marketing: 'clicked', linkUrl: 'https://x.test/A', emailId }, ['ann']],
  ['what narrows holds of one and the same', { marketing: 'clicked', journeyId: emailId, emailId }, []],
  ['an address that is unsubscribed', { unsubscribed: true }, ['bob']],
  ['one that is not', { unsubscribed: false }, ['ann', 'cid']],
];

describe('the filter language', () => {
  const database = useDatabase();
  let tenantId = 0;
  beforeAll(async () => {
    tenantId = await writeWorld(database.db, world);
  });

  it.each(examples)('%s', async (_, filter, wanted) => {
    const names = (isOne: (contact: Contact) => boolean) =>
      world.contacts.filter(isOne).map((each) => each.email.replace('@x.test', ''));
    expect(names((each) => holds(filter, each, world))).toEqual(wanted);
    const at = { tenantId, now: sql`${new Date(now).toISOString()}::timestamptz`, scope: () => sql`true` };
    const compiled = compile(readFilter(filter, appSubjects), at);
    const rows = await database.db.background.rows(
      unnamed(sql<{ id: string }>`
        select c.contact_id as id from contact c ${compiled.joins} where c.tenant_id = ${tenantId} and ${compiled.holds}`),
    );
    expect(names((each) => rows.some(({ id }) => id === each.id))).toEqual(wanted);
  });
});
