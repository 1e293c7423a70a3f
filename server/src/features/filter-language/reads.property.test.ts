import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changes } from '../../../test/filters/change-arbitrary.js';
import { filters } from '../../../test/filters/filter-arbitrary.js';
import { holds, nodesOf } from '../../../test/filters/interpreter.js';
import { turningPoints } from '../../../test/filters/moments.js';
import { appSubjects as subjects } from '../../../test/filters/subjects.js';
import type { Contact, World } from '../../../test/filters/world.js';
import { worlds } from '../../../test/filters/world-arbitrary.js';
import { runs } from '../../../test/runs.js';
import { readFilter } from './read.js';
import { type Reads, readsOf } from './reads.js';
import { say } from './say.js';

const many = fc.array(filters, { minLength: 1, maxLength: 30, size: 'max' });
const numRuns = runs(90);

function orgsOf(contactId: string, ...worlds: readonly World[]): string[] {
  return worlds.flatMap(({ users, memberships }) => {
    const own = users.filter((user) => user.contactId === contactId).map((user) => user.userId);
    return memberships.filter((each) => own.includes(each.userId)).map((each) => each.orgId);
  });
}

describe('what a filter reads', { timeout: 60_000 + numRuns * 500 }, () => {
  it('covers everything that can change its matches', () => {
    const property = fc.property(worlds, changes, many, (world, change, filters) => {
      const { after, marks } = change(world);
      const looksAt = (reads: Reads, contact: Contact) =>
        [...marks].some(([id, mark]) => {
          if (id === contact.id && reads.own.has(mark)) return true;
          const theirs = orgsOf(id, world, after);
          return reads.ofOrgMembers.has(mark) && orgsOf(contact.id, world, after).some((org) => theirs.includes(org));
        });
      for (const filter of filters) {
        const reads = readsOf(readFilter(filter, subjects));
        world.contacts.forEach((contact, i) => {
          if (looksAt(reads, contact)) return;
          const [before, now] = [holds(filter, contact, world), holds(filter, after.contacts[i] as Contact, after)];
          expect(now, JSON.stringify({ filter, contact: contact.id, marks: [...marks] })).toBe(before);
        });
      }
    });
    fc.assert(property, { numRuns });
  });

  it('says whether the clock alone can change whom it means', () => {
    const property = fc.property(worlds, many, (world, filters) => {
      for (const filter of filters) {
        if (readsOf(readFilter(filter, subjects)).isTimed) continue;
        for (const contact of world.contacts) {
          const truth = holds(filter, contact, world);
          for (const now of turningPoints(filter, contact, world)) {
            expect(holds(filter, contact, { ...world, now }), JSON.stringify({ filter, now })).toBe(truth);
          }
        }
      }
    });
    fc.assert(property, { numRuns: Math.ceil(numRuns / 4) });
  });

  it('includes organizations exactly when a condition is about them', () => {
    const property = fc.property(filters, (filter) => {
      const isOfOrgs = /"(orgProperty|organization|orgMembers)":/.test(JSON.stringify(filter));
      expect(readsOf(readFilter(filter, subjects)).context).toBe(isOfOrgs ? 'person_org' : 'person');
    });
    fc.assert(property, { numRuns: numRuns * 20 });
  });
});

describe('the sentence of a filter', () => {
  it('is there for every filter and every part of it, in one line without gaps', () => {
    const property = fc.property(filters, (filter) => {
      for (const { node } of nodesOf(filter)) {
        expect(say(readFilter(node, subjects))).not.toMatch(/^$|undefined|\[object|NaN|null\b(?![”"])/);
      }
    });
    fc.assert(property, { numRuns: numRuns * 5 });
  });
});
