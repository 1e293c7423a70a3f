// Few names, values and times, so that random filters and random worlds overlap; among them those that are easy to get wrong.
import fc from 'fast-check';
import type { Json, Properties } from './world.js';

/** Times of worlds and filters are relative to this. */
export const noon = Date.parse('2026-03-01T00:00:00.000Z');

const hour = 3_600_000;
const day = 24 * hour;

// A few durations are drawn often, so that the ends of windows are hit to the millisecond.
export const duration = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('PT1H', 'P1D', 'PT24H', 'P30D') },
  { weight: 2, arbitrary: fc.constantFrom('PT1S', 'PT1M', 'PT60S', 'P1DT1H', 'P2D', 'P1W', 'P7D', 'P3650D') },
);
const length = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, hour, day, 30 * day) },
  { weight: 2, arbitrary: fc.constantFrom(1000, 60_000, day + hour, 2 * day, 7 * day, 3650 * day) },
);
const beside = fc.constantFrom(0, 0, 0, -1, 1);
const wide = fc
  .record({ back: fc.constantFrom(-1, -1, -1, 1), length, more: fc.constantFrom(0, 0, 0, 60_000, hour, day), beside })
  .map(({ back, length, more, beside }) => noon + back * (length + more) + beside);

/** Now, whole durations from now, and a millisecond on either side. */
export const moment = fc.oneof({ weight: 5, arbitrary: wide }, { weight: 1, arbitrary: beside.map((ms) => noon + ms) });

/** One time in the formats that are accepted, or in one that is truncated. */
const written = fc
  .record({ at: moment, form: fc.nat({ max: 9 }) })
  .map(({ at, form }) => (forms[form] as (at: number) => string)(at));
const iso = (at: number) => new Date(at).toISOString();
const forms: readonly ((at: number) => string)[] = [
  iso,
  iso,
  (at) => iso(at).slice(0, 23),
  (at) => iso(at).slice(0, 19),
  (at) => `${iso(at).slice(0, 19)}z`,
  (at) => iso(at).toLowerCase(),
  (at) => iso(at).slice(0, 10),
  (at) => `${iso(at + 19_800_000).slice(0, 23)}+05:30`,
  (at) => `${iso(at - 43_200_000).slice(0, 23)}-12:00`,
  (at) => `${iso(at).slice(0, 23)}9999Z`,
];

/** What a client may write as a time in a filter. */
export const time = written;

/** Not times, or times in an unexpected format. */
const nearly = [
  ...[
    '2026-02-30',
    '2025-02-29',
    '2024-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-03-01T24:00:00Z',
    '2026-03-01T00:00Z',
  ],
  ...[
    '2026-03-01 00:00:00Z',
    '2026-03-01T00:00:00 Z',
    '2026-03-01T00:00:00+0000',
    '2026-03-01T00:00:00+00',
    '20260301',
  ],
  ...['2026-02-28T23:59:60Z', '2026-02-28T23:59:61Z', '2026-03-01T00:00:00.Z', '2026-03-01T00:00:00,5Z', ' 2026-03-01'],
  ...[
    '2026-03-01\n',
    '2026-03-01T00:00:00+24:00',
    '2026-03-01T00:00:00+23:59',
    '2026-03-01T00:00:00-00:60',
    '26-03-01',
  ],
  ...[
    'now',
    'today',
    'epoch',
    'infinity',
    '-infinity',
    'tomorrow',
    '12026-03-01',
    '0000-12-31T23:30:00-01:00',
    '0000-01-01',
  ],
  ...[
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59-00:01',
    '2026-W09-7',
    '1772323200000',
  ],
  ...['2026-03-01TT00:00:00Z', '２０２６-03-01', '2026-03-01T00:00:00.000000000000000000000000000001Z', '-2026-03-01'],
  ...['2026-03-01T00:00:00UTC', 'Sun Mar 01 2026', '2026-3-1', '2026-03-01T1:00:00Z'],
];

const words = [
  ...[
    '',
    'a',
    'A',
    'ab',
    'aB',
    'abc',
    '1',
    '10',
    '0.5',
    'true',
    'false',
    'null',
    '%',
    'a_b',
    'axb',
    'a%b',
    'a\\b',
    '.*',
    '[a]',
  ],
  ...[
    'straße',
    'STRASSE',
    'STRAẞE',
    'ß',
    'ẞ',
    'ss',
    'i',
    'I',
    'ı',
    'İ',
    'i̇',
    'ΟΔΟΣ',
    'οδος',
    'οδοσ',
    'σ',
    'ς',
    'Σ',
    'k',
    'K',
  ],
  ...[
    'é',
    'e\u0301',
    'É',
    'Ж',
    'ж',
    '𐐀',
    '𐐨',
    'ǅ',
    'ǆ',
    'ŉ',
    'ﬁ',
    'FI',
    'ſ',
    's',
    "it's",
    '"',
    '$1',
    "'; --",
    ' a ',
    'a\nb',
  ],
];
export const text = fc.constantFrom(...words);
/** What may be searched for inside a text. */
export const someText = fc.constantFrom(
  ...words.filter((word) => word !== ''),
  'B',
  'DΟ',
  '_',
  '\\',
  'tr',
  'ra',
  '\u0307',
);
export const number = fc.constantFrom(0, 1, 2, 3, 10, -1, 0.5, 0.1, 0.2, 0.3, 0.25, 1e21, 1e-7, -10.5);
const truth = fc.boolean();

/** Operands of `is` and `in`. */
export const scalar: fc.Arbitrary<string | number | boolean> = fc.oneof(
  text,
  number,
  truth,
  fc.constantFrom('a', 'A', 1, 10, true),
);

const storedTime = fc.oneof(written, written, fc.constantFrom(...nearly));
const storedScalar: fc.Arbitrary<Json> = fc.oneof(
  text,
  number,
  truth,
  storedTime,
  storedTime,
  fc.constantFrom('a', 1, 10),
);

/** What a contact, a user or an organization may have. */
export const storedValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: storedScalar },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: storedScalar }, fc.constant(null)), { maxLength: 3 }),
  },
);

/** True while the contact is unsubscribed; values that only look like it are not. */
export const unsubscribed = fc.constantFrom<Json>(true, true, true, true, false, 'true', 1, [true], []);

/** `plan` is a text, `n` a number and `seen_at` a time; the others are anything. */
export const propertyKeys = ['a', 'b', 'plan', 'n', 'seen_at', '_x9'] as const;
export const propertyKey = fc.constantFrom('a', 'a', 'a', 'b', 'b', 'plan', 'n', 'seen_at', '_x9', 'constructor');
export const properties: fc.Arbitrary<Properties> = fc.record(
  {
    ...{ a: storedValue, b: storedValue, plan: text, n: number, seen_at: storedTime, _x9: storedValue },
    unsubscribed,
  },
  { requiredKeys: [] },
);

export const eventNames = ['open', 'buy', 'Open', 'näme $1'] as const;
export const eventName = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('open', 'open', 'buy') },
  { weight: 1, arbitrary: fc.constantFrom('Open', 'näme $1', 'never') },
);

const eventKey = fc.constantFrom('a', 'a', 'a', 'b', 'cart', '0', "it's");
const { value: eventValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { weight: 8, arbitrary: storedScalar },
    { weight: 3, arbitrary: number },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.array(fc.oneof(storedScalar, fc.constant(null)), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.array(storedScalar, { maxLength: 2 }), { maxLength: 2 }) },
    { weight: 3, arbitrary: fc.dictionary(eventKey, tie('value'), { maxKeys: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.dictionary(eventKey, storedScalar, { maxKeys: 2 }), { maxLength: 2 }) },
  ),
}));
export const eventProperties = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(eventKey, eventValue, { maxKeys: 4 }) },
  {
    weight: 9,
    arbitrary: fc.record({ n: number, a: eventValue, cart: fc.record({ n: number, plan: text, seen_at: storedTime }) }),
  },
  { weight: 1, arbitrary: fc.constant(null) },
);

/** A key, or keys into nested objects. `0` would be an index into an array, which is never entered. */
export const eventPath: fc.Arbitrary<string | string[]> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'a', 'n', 'b', 'cart', '0', "it's", '__proto__') },
  { weight: 1, arbitrary: fc.constantFrom<string[]>(['a'], ['b'], ['a', 'b', 'a', 'b', 'a']) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('cart', 'a', 'b'), eventKey).map((path) => [...path]) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('cart'), eventKey, eventKey).map((path) => [...path]) },
);
export const numberPaths = ['n', ['cart', 'n']];
export const textPaths = [['cart', 'plan']];
export const timePaths = [['cart', 'seen_at']];

/** What happens to mail; a few are drawn often. */
export const activityNames = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'unsubscribed',
  'complained',
] as const;
export const activityName = fc.constantFrom('opened', 'opened', 'clicked', 'clicked', ...activityNames);
/** One id is in both: emails and journeys have separate ids. */
export const emailIds = ['e'.repeat(24), 'a'.repeat(24)] as const;
export const journeyIds = ['e'.repeat(24), 'b'.repeat(24)] as const;
export const linkUrls = [
  'https://x.test/',
  'https://x.test/?a=1&b=%20',
  'https://x.test/?A=1&b=%20',
  "https://x.test/'; drop table contact; --$1",
  'https://x.test/"ä😀%_',
] as const;

export const contactIds = Array.from(
  { length: 8 },
  (_, i) => `0190a${i}${'0'.repeat(6)}7000800${i % 3}${'0'.repeat(12)}`,
);
export const userIds = ['u1', 'u2', 'U2', 'u-ß', 'u5', 'u6'] as const;
export const orgIds = ['o1', 'o2', 'O2'] as const;
export const staticListIds = ['a'.repeat(24), 'b'.repeat(24)] as const;
/** One is also a static list's id: the two kinds have separate ids. */
export const dynamicListIds = ['a'.repeat(24), 'd'.repeat(24)] as const;
/** The first is `subscribed` by default, the second `unsubscribed`. One is a list's id too. */
export const topicIds = ['a'.repeat(24), 'f'.repeat(24)] as const;
export const emails = [
  'a@x.test',
  'b@x.test',
  'ab@y.test',
  'straße@x.test',
  'a_b@x.test',
  'axb@y.test',
  'c%d@x.test',
  'i@x.test',
];
