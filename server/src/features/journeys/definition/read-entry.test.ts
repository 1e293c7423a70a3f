import { describe, expect, it } from 'vitest';
import { api, faultsOf, list, ordered, read } from '../../../../test/journeys/definitions.js';

import type { JourneyType } from './read-entry.js';

const ofEntry = (entry: unknown, type: JourneyType = 'trigger') =>
  faultsOf({ entry, steps: [{ id: 'z', type: 'exit' }] }, type);

describe('the entry', () => {
  const dynamic = { dynamicListId: list };
  it.each<[string, JourneyType, unknown, unknown]>([
    [
      'a static list',
      'batch',
      { audience: { staticListId: list } },
      { kind: 'batch', audience: { staticListId: list } },
    ],
    [
      'a time',
      'batch',
      { audience: dynamic, schedule: { at: '2026-12-01T09:00:00+01:00' } },
      { kind: 'batch', audience: dynamic, schedule: { kind: 'at', at: Date.parse('2026-12-01T08:00:00Z') } },
    ],
    [
      'a cron',
      'batch',
      { audience: dynamic, schedule: { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' } },
      { kind: 'batch', audience: dynamic, schedule: { kind: 'cron', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' } },
    ],
    ['an event', 'trigger', { event: { eventName: ' ordered ' } }, { kind: 'event', eventName: 'ordered' }],
    ['who joined', 'trigger', { joined: { staticListId: list } }, { kind: 'joined', list: { staticListId: list } }],
    ['who left', 'trigger', { left: dynamic }, { kind: 'left', ...dynamic }],
    [
      'a change',
      'trigger',
      { propertyChanged: { property: 'plan', from: 'free', to: 1 } },
      { kind: 'property', property: 'plan', from: 'free', to: 1 },
    ],
    [
      'a date',
      'trigger',
      { date: { property: 'born', offset: '-P3D', at: '09:30', yearly: true } },
      { kind: 'date', property: 'born', offset: -259_200_000, at: 570, yearly: true },
    ],
    ['the API alone', 'trigger', api, { kind: 'api' }],
  ])('can be %s', (_, type, entry, expected) => {
    expect(read({ entry, steps: [{ id: 'z', type: 'exit' }] }, type).entry).toEqual(expected);
  });

  it('reads the where of an event', () => {
    const { entry } = read({
      entry: { event: { eventName: 'a', where: { eventProperty: 'n', gt: 3 } } },
      steps: [{ id: 'z', type: 'exit' }],
    });
    if (entry.kind !== 'event') throw new Error('no event');
    const event = { userId: null, orgId: null, eventDate: '2026-11-16T09:00:00.000Z' };
    expect(entry.where?.holds({ ...event, properties: { n: 4 } }, { now: 0 })).toBe(true);
    expect(entry.where?.holds({ ...event, properties: { n: 3 } }, { now: 0 })).toBe(false);
  });

  it.each<[string, JourneyType, unknown, string]>([
    ['is missing', 'trigger', undefined, 'definition.entry: an object is wanted'],
    ['is none', 'trigger', {}, 'definition.entry: one of "event", "joined", '],
    ['is two', 'trigger', { ...api, ...ordered }, 'definition.entry: only one of "event", '],
    ['is that of a batch', 'trigger', { audience: { staticListId: list } }, 'definition.entry: one of "event", '],
    ['is that of a trigger', 'batch', api, 'definition.entry.audience: "audience" is wanted'],
    [
      'has two lists',
      'batch',
      { audience: { staticListId: list, dynamicListId: list } },
      'definition.entry.audience: only one of',
    ],
    [
      'has no id',
      'batch',
      { audience: { staticListId: 'x' } },
      'definition.entry.audience.staticListId: nothing has this id',
    ],
    [
      'has an empty schedule',
      'batch',
      { audience: { staticListId: list }, schedule: {} },
      'definition.entry.schedule: one of "at", "cron" is wanted',
    ],
    [
      'has a schedule of null',
      'batch',
      { audience: { staticListId: list }, schedule: null },
      'definition.entry.schedule: an object is wanted',
    ],
    [
      'has a cron without a zone',
      'batch',
      { audience: { staticListId: list }, schedule: { cron: '0 9 * * *' } },
      'definition.entry.schedule.timeZone: "timeZone" is wanted',
    ],
    [
      'has a zone that there is not',
      'batch',
      { audience: { staticListId: list }, schedule: { cron: '0 9 * * *', timeZone: 'Mars/Olympus' } },
      'definition.entry.schedule.timeZone: there is no such time zone',
    ],
    [
      'runs on 30 February',
      'batch',
      { audience: { staticListId: list }, schedule: { cron: '0 9 30 2 *', timeZone: 'UTC' } },
      'definition.entry.schedule.cron: a cron of five fields that fires',
    ],
    [
      'runs on 31 February',
      'batch',
      { audience: { staticListId: list }, schedule: { at: '2027-02-31' } },
      'definition.entry.schedule.at: a time is wanted',
    ],
    [
      'is who left a static list',
      'trigger',
      { left: { staticListId: list } },
      'definition.entry.left.dynamicListId: "dynamicListId" is wanted',
    ],
    [
      'looks into an entry event',
      'trigger',
      { event: { eventName: 'a', where: { eventProperty: 'n', is: { entry: 'n' } } } },
      'definition.entry.event.where.is: ',
    ],
    [
      'is an event without a name',
      'trigger',
      { event: { eventName: ' ' } },
      'definition.entry.event.eventName: a text of 1 to 255',
    ],
    [
      'is a property that cannot be',
      'trigger',
      { propertyChanged: { property: 'Plan' } },
      'definition.entry.propertyChanged.property: no property can have this key',
    ],
    [
      'changes from null',
      'trigger',
      { propertyChanged: { property: 'plan', from: null } },
      'definition.entry.propertyChanged.from: ',
    ],
    ['is at 24:00', 'trigger', { date: { property: 'on', at: '24:00' } }, 'definition.entry.date.at: a time of day'],
    [
      'is months before',
      'trigger',
      { date: { property: 'on', offset: '-P1M' } },
      'definition.entry.date.offset: months and years',
    ],
    ['is api: false', 'trigger', { api: false }, 'definition.entry.api: true is wanted'],
    ['has an unknown key', 'trigger', { api: true, audience: {} }, 'definition.entry.audience: not known here'],
  ])('is refused where it %s', (_, type, entry, fault) => {
    expect(ofEntry(entry, type)[0]?.slice(0, fault.length)).toBe(fault);
  });
});
