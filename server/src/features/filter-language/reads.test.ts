import { describe, expect, it } from 'vitest';
import { readFilter } from './read.js';
import { readsOf } from './reads.js';
import type { Subject } from './subject.js';
import { Subjects } from './subjects.js';

const marketing: Subject = {
  key: 'marketing',
  read: (fields) => fields,
  say: () => 'opened an email',
  reads: () => ['marketing:opened'],
  compile: () => {
    throw new Error('not here');
  },
};
const reads = (json: unknown) => readsOf(readFilter(json, new Subjects([marketing])));
const [a, b] = ['a'.repeat(24), 'b'.repeat(24)];

describe('what a filter reads', () => {
  it.each<[object, string[], boolean]>([
    [{ all: [] }, [], false],
    [{ property: 'plan', is: 'pro' }, ['property:plan'], false],
    [{ property: 'plan', hasEverBeen: 'pro' }, ['property:plan'], false],
    [{ property: 'due', before: '2026-01-01' }, ['property:due'], false],
    [{ property: 'due', withinLast: 'P1D' }, ['property:due'], true],
    [{ property: 'due', notWithinLast: 'P1D' }, ['property:due'], true],
    [{ property: 'due', withinNext: 'P1D' }, ['property:due'], true],
    [{ contact: 'email', is: 'a' }, [], false],
    [{ contact: 'createdAt', withinLast: 'P1D' }, [], true],
    [{ contact: 'updatedAt', after: '2026-01-01' }, ['contact:updatedAt'], false],
    [{ userProperty: 'role', is: 'x' }, ['user:role'], false],
    [{ orgProperty: 'seats', gt: 5 }, ['orgs', 'org:seats'], false],
    [{ organization: 'orgId', is: 'x' }, ['orgs'], false],
    [{ organization: 'name', is: 'x' }, ['orgs', 'orgField:name'], false],
    [{ event: 'Order', from: '2026-01-01' }, ['event:Order'], true],
    [{ sequence: [{ event: 'A' }, { event: 'B' }, { event: 'A' }] }, ['event:A', 'event:B'], true],
    [{ staticListId: a }, [`static:${a}`], false],
    [{ dynamicListId: a }, [`dynamic:${a}`], false],
    [{ bucket: { seed: 'a', of: 2, from: 0, to: 0 } }, [], false],
    [{ marketing: 'opened' }, ['marketing:opened'], true],
    [{ any: [{ property: 'x', is: 1 }, { none: [{ event: 'E' }] }] }, ['property:x', 'event:E'], true],
  ])('%j', (json, own, isTimed) => {
    const { own: found, ...rest } = reads(json);
    expect([...found]).toEqual(own);
    expect(rest).toMatchObject({ isTimed, ofOrgMembers: new Set() });
  });

  it('of members is read of the contact itself too, who is one of them', () => {
    const where = { all: [{ property: 'x', withinLast: 'P1D' }, { dynamicListId: a }] };
    const found = reads({ any: [{ property: 'y', is: 1 }, { orgMembers: { where } }] });
    expect([...found.own]).toEqual(['property:y', 'orgs', 'property:x', `dynamic:${a}`]);
    expect(found.ofOrgMembers).toEqual(new Set(['property:x', `dynamic:${a}`, 'orgs']));
    expect(found.isTimed).toBe(true);
    expect(found.dynamicLists).toEqual([{ listId: a, path: 'filter.any[1].orgMembers.where.all[1]' }]);
  });

  it('names the lists with their places', () => {
    expect(reads({ all: [{ staticListId: a }, { none: [{ staticListId: b }, { dynamicListId: b }] }] })).toMatchObject({
      staticLists: [
        { listId: a, path: 'filter.all[0]' },
        { listId: b, path: 'filter.all[1].none[0]' },
      ],
      dynamicLists: [{ listId: b, path: 'filter.all[1].none[1]' }],
    });
  });

  it('is of organizations where any part is', () => {
    const orgs = { orgProperty: 'a', is: 1 };
    for (const json of [orgs, { none: [{ all: [orgs] }] }, { orgMembers: { where: { all: [] } } }]) {
      expect(reads(json).context).toBe('person_org');
    }
    expect(reads({ organization: 'name', exists: true }).context).toBe('person_org');
    expect(reads({ event: 'a', where: { eventField: 'orgId', exists: true } }).context).toBe('person');
    expect(reads({ userProperty: 'a', is: 1 }).context).toBe('person');
  });
});
