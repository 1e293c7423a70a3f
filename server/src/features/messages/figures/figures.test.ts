// Whatever happens to messages, in any order, with repeats, in parts or folded: the figures of any window match a plain model.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { type Action, Book, type Fact, type Told } from '../../../../test/figure-book.js';
import { type Ledger, type LedgerMessage, openLedger } from '../../../../test/ledger.js';
import { dayMs, hourMs, type Window } from '../../../db/tallies.js';
import type { Fate } from '../fates/fate.js';
import type { FigureSubject } from './queries.js';
import { readFigures } from './read-figures.js';
import { recountMessages } from './recount.js';

const t = useDatabase();

// A few hours around midnight, with many moments on the hour.
const base = Date.UTC(2026, 10, 15, 22);
const moments = fc
  .tuple(fc.nat(4), fc.constantFrom(-1, 0, 1, 2000, 5000, 9000, 14_000, 1_800_000, hourMs - 1))
  .map(([hour, ms]) => new Date(base + hour * hourMs + ms).toISOString());

const [one, two] = ['0'.repeat(23).concat('1'), '0'.repeat(23).concat('2')] as const;
const [journey, other] = ['a'.repeat(24), 'b'.repeat(24)] as const;
const cast: (LedgerMessage & { address: string })[] = [
  {
    emailId: one,
    address: 'ada@x.io',
    journeyId: journey,
    stepId: 'mail',
    arms: { split: 'A: the first' },
    kind: 'journey',
  },
  {
    emailId: two,
    address: 'bob@y.io',
    journeyId: other,
    stepId: 'mail',
    arms: { split: 'B', last: 'x:y' },
    kind: 'journey',
  },
  { emailId: one, address: 'cy@y.io', kind: 'direct' },
  { emailId: one, address: 'dee@x.io', kind: 'test' },
];
const whom = fc.nat(cast.length - 1);
const messageId = '';
const agent = fc.constantFrom('Thunderbird', 'Thunderbird', 'GoogleImageProxy', 'Barracuda');
const fates = fc.oneof<fc.Arbitrary<Told>[]>(
  fc
    .tuple(fc.constantFrom('delivered' as const, 'complained' as const, 'unsubscribed' as const), moments)
    .map(([what, at]) => ({ what, at, messageId })),
  moments.map((at) => ({ what: 'resubscribed' as const, at, messageId })),
  fc.tuple(moments, fc.boolean()).map(([at, isHard]) => ({
    ...{ what: 'bounced' as const, at, messageId, isHard, suppresses: false, reason: null },
  })),
  fc.tuple(moments, agent).map(([at, by]) => ({ what: 'opened' as const, at, messageId, agent: by })),
  fc.tuple(moments, agent, fc.nat(1)).map(([at, by, linkNo]) => ({
    ...{ what: 'clicked' as const, at, messageId, agent: by, linkNo, url: `https://x.io/${linkNo}` },
  })),
);
const recorded: fc.Arbitrary<Action> = fc.record({
  do: fc.constant('record' as const),
  of: whom,
  what: fc.constantFrom('sent', 'sent', 'refused', 'failed', 'later'),
  at: moments,
  version: fc.constantFrom('default', 'personalized'),
});
const heard: fc.Arbitrary<Action> = fc.record({
  do: fc.constant('hear' as const),
  fates: fc.array(fc.record({ of: whom, fate: fates }), { minLength: 1, maxLength: 5 }),
});
const erased: fc.Arbitrary<Action> = fc.record({ do: fc.constant('erase' as const), of: whom });
const folded: fc.Arbitrary<Action> = fc.record({
  do: fc.constant('fold' as const),
  atMost: fc.integer({ min: 1, max: 9 }),
});
const actions = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: recorded },
    { weight: 6, arbitrary: heard },
    { weight: 1, arbitrary: erased },
    { weight: 1, arbitrary: folded },
  ),
  { minLength: 1, maxLength: 14 },
);
const windows = fc.record({ from: fc.option(moments), to: fc.option(moments) });
const grains = fc.constantFrom(undefined, 'hour' as const, 'day' as const);

type Sums = Record<string, Record<string, number>>;

/** By subject and interval, without zeros. */
function expected(facts: readonly Fact[], of: FigureSubject, { from, to }: Window, grain?: 'hour' | 'day'): Sums {
  const sums: Sums = {};
  for (const { at, count, kind, subject } of facts) {
    if (kind !== of.kind || (from !== null && at < from) || (to !== null && at > to)) continue;
    if ('emailId' in of && subject.emailId !== of.emailId) continue;
    if ('journeyId' in of && subject.journeyId !== of.journeyId) continue;
    if ('journeyIds' in of && !of.journeyIds.includes(subject.journeyId ?? '')) continue;
    const unit = grain === 'hour' ? hourMs : dayMs;
    const since = grain ? new Date(Math.floor(Date.parse(at) / unit) * unit).toISOString() : null;
    const key = JSON.stringify({ ...subject, since }, Object.keys({ ...subject, since }).sort());
    sums[key] ??= {};
    sums[key][count] = (sums[key][count] ?? 0) + 1;
  }
  return sums;
}

function withoutUnique(sums: Sums): Sums {
  return Object.fromEntries(Object.entries(sums).map(([key, { uniqueClicked: _, ...counts }]) => [key, counts]));
}

async function found(ledger: Ledger, of: FigureSubject, window: Window, grain?: 'hour' | 'day'): Promise<Sums> {
  const sums: Sums = {};
  for (const { url: _, ...row } of await readFigures(t.db, ledger.tenantId, of, window, grain)) {
    const isSubject = (name: string, value: unknown) => typeof value !== 'number' && name !== 'url';
    const subject = Object.entries(row).filter(([name, value]) => isSubject(name, value));
    const key = JSON.stringify(Object.fromEntries(subject), subject.map(([name]) => name).sort());
    sums[key] ??= {};
    for (const [count, n] of Object.entries(row))
      if (typeof n === 'number' && n !== 0) sums[key][count] = (sums[key][count] ?? 0) + n;
  }
  return sums;
}

async function act(ledger: Ledger, ids: readonly string[], books: readonly Book[], action: Action): Promise<void> {
  const idOf = (of: number) => ids[of] as string;
  const bookOf = (of: number) => books[of] as Book;
  switch (action.do) {
    case 'record':
      await ledger.record(idOf(action.of), action.what, action.at, { version: action.version, links: 2 });
      bookOf(action.of).record(action);
      break;
    case 'hear':
      await ledger.hear(...action.fates.map(({ of, fate }) => ({ ...fate, messageId: idOf(of) }) as Fate));
      for (const { of, fate } of action.fates) bookOf(of).hear(fate);
      break;
    case 'erase':
      await ledger.erase(bookOf(action.of).of.address);
      bookOf(action.of).erase();
      break;
    case 'fold':
      await ledger.fold(action.atMost);
      break;
    default:
      action satisfies never;
  }
}

it('figures match a plain model, for any subject and window', async () => {
  const subjects: FigureSubject[] = [
    ...[{ kind: 'tenant' as const }, { kind: 'email' as const, emailId: one }, { kind: 'domains' as const }],
    ...[
      { kind: 'journeys' as const, journeyIds: [journey, other] },
      { kind: 'arms' as const, journeyId: other },
    ],
    ...[{ kind: 'links' as const }, { kind: 'links' as const, emailId: one }],
  ];
  await fc.assert(
    fc.asyncProperty(actions, fc.array(windows, { maxLength: 2 }), grains, async (story, some, grain) => {
      const ledger = await openLedger(t);
      const ids = await Promise.all(cast.map((message) => ledger.queue(message)));
      const books = cast.map((message) => new Book(message));
      for (const action of story) await act(ledger, ids, books, action);
      const facts = books.flatMap((book) => book.facts());
      // Addresses of erased people are shortened and may become equal, so their links and first clicks differ from the model's.
      const isErasing = story.some((action) => action.do === 'erase');
      const shown = (of: FigureSubject, sums: Sums) => (of.kind === 'links' && isErasing ? withoutUnique(sums) : sums);
      for (const window of [...some, { from: null, to: null }])
        for (const of of subjects)
          expect(shown(of, await found(ledger, of, window, grain)), JSON.stringify({ of, window, grain })).toEqual(
            shown(of, expected(facts, of, window, grain)),
          );
      expect(await recountMessages(t.db, ledger.tenantId)).toEqual([]);
    }),
    { numRuns: 60 },
  );
}, 300_000);
