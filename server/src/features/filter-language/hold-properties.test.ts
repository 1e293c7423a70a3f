import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filters } from '../../../test/filters/filter-arbitrary.js';
import { holds } from '../../../test/filters/interpreter.js';
import { appSubjects } from '../../../test/filters/subjects.js';
import { worlds } from '../../../test/filters/world-arbitrary.js';
import { followsFromProperties, holdsForProperties } from './hold-properties.js';
import { readFilter } from './read.js';

it('comes to what the interpreter says, for every filter on nothing but properties', () => {
  let tried = 0;
  const property = fc.property(worlds, fc.array(filters, { minLength: 20, maxLength: 60 }), (world, all) => {
    for (const filter of all) {
      const tree = readFilter(filter, appSubjects);
      if (!followsFromProperties(tree)) continue;
      for (const contact of world.contacts) {
        tried++;
        expect(holdsForProperties(tree, contact.properties), JSON.stringify([filter, contact.properties])).toBe(
          holds(filter, contact, world),
        );
      }
    }
  });
  fc.assert(property, { numRuns: 200 });
  expect(tried).toBeGreaterThan(500);
});

it('leaves to SQL what looks at the time, at earlier values or at anything but properties', () => {
  const follows = (filter: object) => followsFromProperties(readFilter(filter, appSubjects));
  expect(follows({ all: [{ property: 'plan', is: 'pro' }, { none: [{ property: 'seats', gt: 3 }] }] })).toBe(true);
  expect(follows({ property: 'renewal', before: '2026-01-01' })).toBe(true);
  for (const filter of [
    { property: 'renewal', withinNext: 'P30D' },
    { property: 'plan', hasEverBeen: 'trial' },
    { event: 'login' },
    {
      all: [
        { property: 'plan', is: 'pro' },
        { contact: 'email', endsWith: '@example.com' },
      ],
    },
  ])
    expect(follows(filter), JSON.stringify(filter)).toBe(false);
});

it('takes no inherited name for a property', () => {
  const filter = readFilter({ property: 'constructor', exists: true }, appSubjects);
  expect(holdsForProperties(filter, {})).toBe(false);
});
