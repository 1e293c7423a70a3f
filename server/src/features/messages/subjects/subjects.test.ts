import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../../../test/filters/faults.js';
import { appSubjects } from '../../../../test/filters/subjects.js';
import { readFilter } from '../../filter-language/read.js';
import { readsOf } from '../../filter-language/reads.js';
import { say } from '../../filter-language/say.js';
import { marketingKeys } from './index.js';

const faults = (json: unknown) => faultsOf(json, appSubjects);
const read = (json: unknown) => readFilter(json, appSubjects);
const id = '019a8b2c4d5e6f7081920001';
const whats = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'unsubscribed', 'complained'] as const;
const wrong = [null, 1, [], {}, 'x', true];

describe('a condition on mail', () => {
  it.each(whats)('may be about %s, with everything that narrows it', (marketing) => {
    const all = { atLeast: 1, atMost: 3, emailId: id, journeyId: id, linkUrl: 'https://x.test/', machine: true };
    expect(faults({ marketing })).toEqual([]);
    expect(faults({ marketing, ...all, withinLast: 'P30D' })).toEqual([]);
    expect(faults({ marketing, ...all, from: '2026-01-01', to: '2026-01-01' })).toEqual([]);
  });

  it('means at least once, ever and by people, by default', () => {
    expect(read({ marketing: 'opened' })).toMatchObject({
      spec: { what: 'opened', count: { atLeast: 1 }, window: {}, machine: false },
    });
  });

  it('treats the journey as its own field, not as a second subject', () => {
    expect(read({ journeyId: id, marketing: 'sent' })).toMatchObject({ subject: { key: 'marketing' } });
  });

  it.each<[object, string]>([
    [
      { marketing: 'seen' },
      'filter.marketing: "sent", "delivered", "opened", "clicked", "bounced", "unsubscribed" or ',
    ],
    [{ marketing: 'Opened' }, 'filter.marketing: "sent", '],
    [{ marketing: 'opened', measure: 'count' }, 'filter.measure: not known here'],
    [{ marketing: 'opened', where: { all: [] } }, 'filter.where: not known here'],
    [{ marketing: 'opened', gt: 1 }, 'filter.gt: not known here'],
    [{ marketing: 'opened', emailID: id }, 'filter.emailID: not known here'],
    [{ marketing: 'opened', notWithinLast: 'P1D' }, 'filter.notWithinLast: not known here'],
    [{ marketing: 'opened', state: 'entered' }, 'filter.state: not known here'],
    [{ marketing: 'opened', exactly: 1, atLeast: 1 }, 'filter.exactly: "exactly" stands alone'],
    [{ marketing: 'opened', atLeast: 2, atMost: 1 }, 'filter.atLeast: the bounds are reversed'],
    [{ marketing: 'opened', atLeast: -1 }, 'filter.atLeast: a whole number from 0 to 2,147,483,647 is wanted'],
    [{ marketing: 'opened', exactly: 0.5 }, 'filter.exactly: a whole number'],
    [{ marketing: 'opened', withinLast: 'P1M' }, 'filter.withinLast: months and years have no one length'],
    [{ marketing: 'opened', withinLast: 'P1D', to: '2026-01-01' }, 'filter.withinLast: a window is "withinLast", or'],
    [{ marketing: 'opened', from: '2026-01-02', to: '2026-01-01' }, 'filter.from: the bounds are reversed'],
    [{ marketing: 'opened', from: '2026-02-30' }, 'filter.from: a time is wanted'],
    [{ marketing: 'opened', emailId: 'welcome' }, 'filter.emailId: nothing has this id'],
    [{ marketing: 'opened', emailId: id.toUpperCase() }, 'filter.emailId: nothing has this id'],
    [{ marketing: 'opened', journeyId: `${id}0` }, 'filter.journeyId: nothing has this id'],
    [{ marketing: 'opened', journeyId: 7 }, 'filter.journeyId: the id of a journey is wanted'],
    [{ marketing: 'clicked', linkUrl: '' }, 'filter.linkUrl: a text of 1 to 8,192 characters is wanted'],
    [{ marketing: 'clicked', linkUrl: 'x'.repeat(8193) }, 'filter.linkUrl: a text of 1 to 8,192 characters is wanted'],
    [{ marketing: 'clicked', linkUrl: 'a\0' }, 'filter.linkUrl: a text must be valid Unicode without NUL'],
    [{ marketing: 'clicked', linkUrl: '\ud800' }, 'filter.linkUrl: a text must be valid Unicode without NUL'],
    [{ marketing: 'opened', machine: 'true' }, 'filter.machine: true or false is wanted'],
    [{ marketing: 'opened', unsubscribed: true }, 'filter: one subject is wanted, not "marketing" and "unsubscribed"'],
    [{ marketing: 'opened', event: 'x' }, 'filter: one subject is wanted, not "marketing" and "event"'],
    [JSON.parse('{"marketing":"opened","__proto__":1}'), 'filter.__proto__: not known here'],
  ])('is refused where something is wrong: %j', (json, fault) => {
    const found = faults(json);
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(fault), `${found[0]}`).toBe(true);
  });

  it.each(['marketing', 'atLeast', 'atMost', 'exactly', 'withinLast', 'from', 'to', 'emailId', 'journeyId'])(
    'is refused where %s is of another type, at that place',
    (key) => {
      for (const value of wrong.filter((one) => typeof one !== 'number' || !/^(at|ex)/.test(key))) {
        const [fault, ...more] = faults({ none: [{ marketing: 'opened', [key]: value }] });
        expect(fault?.startsWith(`filter.none[0].${key}: `), `${JSON.stringify(value)}: ${fault}`).toBe(true);
        expect(more).toEqual([]);
      }
    },
  );

  it('accepts a link of 8,192 characters', () => {
    expect(faults({ marketing: 'clicked', linkUrl: '😀'.repeat(8192) })).toEqual([]);
  });

  it('reads the marks of such activity as they are stored', () => {
    for (const marketing of whats) {
      expect([...readsOf(read({ marketing, emailId: id })).own]).toEqual(marketingKeys(marketing));
    }
    expect(new Set(whats.flatMap(marketingKeys)).size).toBe(whats.length);
  });
});

describe('a condition on mail in words', () => {
  it.each<[object, string]>([
    [{ marketing: 'opened', withinLast: 'P30D' }, 'The contact opened an email at least once in the last 30 days.'],
    [{ marketing: 'opened', exactly: 0 }, 'The contact never opened an email.'],
    [
      { marketing: 'opened', atMost: 2, machine: true },
      'The contact opened an email (machines count too) at most 2 times.',
    ],
    [{ marketing: 'sent', atLeast: 2, atMost: 5 }, 'The contact was sent an email 2 to 5 times.'],
    [{ marketing: 'sent', atMost: 0, withinLast: 'P1W' }, 'The contact was never sent an email in the last week.'],
    [{ marketing: 'delivered', exactly: 1 }, 'The contact received an email exactly once.'],
    [{ marketing: 'clicked', emailId: id }, `The contact clicked a link in the email ${id} at least once.`],
    [
      { marketing: 'clicked', linkUrl: 'https://x.test/"', journeyId: id },
      `The contact clicked the link “https://x.test/"” in an email of the journey ${id} at least once.`,
    ],
    [{ marketing: 'bounced', journeyId: id }, `The contact had an email of the journey ${id} bounce at least once.`],
    [{ marketing: 'bounced', exactly: 0 }, 'The contact never had an email bounce.'],
    [
      { marketing: 'unsubscribed', linkUrl: 'x', from: '2026-03-01' },
      'The contact unsubscribed from an email through the link “x” at least once from 00:00 UTC on 1 March 2026 on.',
    ],
    [{ marketing: 'complained', atLeast: 0 }, 'The contact complained about an email any number of times.'],
    [{ unsubscribed: true }, 'The contact is unsubscribed.'],
    [{ none: [{ unsubscribed: false }] }, 'It is not true that the contact is not unsubscribed.'],
  ])('%j', (json, sentence) => {
    expect(say(read(json))).toBe(sentence);
  });
});

describe('a condition on who is unsubscribed', () => {
  it('is true or false and nothing else', () => {
    for (const unsubscribed of [true, false]) expect(faults({ unsubscribed })).toEqual([]);
    for (const unsubscribed of [null, 1, 0, 'true', [], {}]) {
      expect(faults({ any: [{ unsubscribed }] })).toEqual(['filter.any[0].unsubscribed: true or false is wanted']);
    }
    expect(faults({ unsubscribed: true, withinLast: 'P1D' })).toEqual(['filter.withinLast: not known here']);
  });

  it('reads the property, and does not change by the clock', () => {
    const { own, isTimed } = readsOf(read({ unsubscribed: false }));
    expect([[...own], isTimed]).toEqual([['property:unsubscribed'], false]);
  });
});

describe('anything in place of a condition', () => {
  it('is read or refused with a path, and never an internal error', () => {
    const key = fc.constantFrom(
      'marketing',
      'emailId',
      'journeyId',
      'linkUrl',
      'machine',
      'exactly',
      'from',
      'withinLast',
    );
    const value = fc.oneof(fc.anything(), fc.constantFrom(...whats, id, 'P1D', '2026-01-01', 1, true));
    const condition = fc.dictionary(fc.oneof({ weight: 9, arbitrary: key }, fc.string()), value, { maxKeys: 4 });
    fc.assert(
      fc.property(condition, fc.constantFrom(...whats), (more, marketing) => {
        for (const fault of faults({ marketing, ...more })) expect(fault).toMatch(/^filter/);
      }),
      { numRuns: 500 },
    );
  });
});
