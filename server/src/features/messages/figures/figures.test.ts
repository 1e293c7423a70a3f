// Whatever happens to messages, in any order, with repeats, counted in parts or folded: figures of any window are what a plain model says.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { type Ledger, type LedgerMessage, openLedger } from '../../../../test/ledger.js';
import { dayMs, hourMs, type Window } from '../../../db/tallies.js';
import type { Fate } from '../fates/fate.js';
import type { Outcome } from '../sender/outcome.js';
import type { FigureSubject } from './queries.js';
import { readFigures } from './read-figures.js';
import { recountMessages } from './recount.js';

const t = useDatabase();

// Some hours around midnight, many moments at the edges of hours.
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

type Told = Extract<Fate, { messageId: string | null }>;
type Action =
  | { do: 'record'; of: number; what: Outcome['what']; at: string; version: 'default' | 'personalized' }
  | { do: 'hear'; fates: { of: number; fate: Told }[] }
  | { do: 'erase'; of: number }
  | { do: 'fold'; atMost: number };

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

/** Everything that was counted, one by one, with all that can be asked for. */
interface Fact {
  at: string;
  count: string;
  subject: Record<string, string | null>;
  kind: FigureSubject['kind'];
}

/** A message, as a person would keep its book. */
class Book {
  version: string | null = null;
  domain: string | null = null;
  address: string | null;
  links = 0;
  /** Only what had left meanwhile can still be said of it. */
  isGivenUp = false;
  sentAt: string | null = null;
  failedAt: string | null = null;
  deliveredAt: string | null = null;
  hardAt: string | null = null;
  softAt: string | null = null;
  complainedAt: string | null = null;
  leftAt: string[] = [];
  isOut = false;
  opens: { at: string; byMachine: boolean; byProxy: boolean }[] = [];
  clicks: { at: string; byMachine: boolean; byScanner: boolean; linkNo: number }[] = [];

  constructor(readonly of: LedgerMessage & { address: string }) {
    this.address = of.address;
  }

  record({ what, at, version }: Extract<Action, { do: 'record' }>): void {
    const leaves = what === 'sent' || what === 'refused';
    if (this.sentAt !== null || (this.isGivenUp && !leaves)) return;
    this.version = version;
    this.links = 2;
    if (this.address !== null) this.domain ??= this.address.split('@')[1] as string;
    this.failedAt = what === 'failed' ? at : null;
    if (what === 'failed') this.isGivenUp = true;
    if (leaves) {
      this.sentAt = at;
      this.judgeOpens();
      this.judgeClicks();
    }
    if (what === 'refused') this.hardAt ??= at;
  }

  hear(fate: Told): void {
    const at = fate.at as string;
    if (fate.what === 'delivered') this.deliveredAt ??= at;
    if (fate.what === 'complained') this.complainedAt ??= at;
    if (fate.what === 'bounced' && this.hardAt === null) {
      if (fate.isHard) this.hardAt = at;
      else this.softAt ??= at;
    }
    if (fate.what === 'unsubscribed' && !this.isOut) this.leftAt.push(at);
    if (fate.what === 'unsubscribed' || fate.what === 'resubscribed') this.isOut = fate.what === 'unsubscribed';
    if (fate.what === 'opened') this.opens.push({ at, byMachine: false, byProxy: fate.agent !== 'Thunderbird' });
    if (fate.what === 'clicked') {
      const { agent: by, linkNo } = fate;
      this.clicks.push({ at, byMachine: false, byScanner: by === 'Barracuda', linkNo });
    }
    if (fate.what === 'opened') this.judgeOpens();
    if (fate.what === 'clicked') this.judgeClicks();
    if (fate.what !== 'resubscribed' && this.address !== null && this.of.kind !== 'test')
      this.domain ??= this.address.split('@')[1] as string;
  }

  /** What waits does not leave any more. */
  erase(): void {
    this.address = null;
    this.isGivenUp = true;
  }

  private judgeOpens(): void {
    for (const open of this.opens) open.byMachine = open.byProxy || this.isSoon(open);
  }

  private judgeClicks(): void {
    for (const click of this.clicks)
      click.byMachine = click.byScanner || this.isSoon(click) || (this.links === 2 && this.isInRun(click));
  }

  private isSoon({ at }: { at: string }): boolean {
    const after = this.sentAt === null ? Number.NaN : Date.parse(at) - Date.parse(this.sentAt);
    return after <= 3000 && after >= -60_000;
  }

  /** Some ten seconds that hold this click and both links. */
  private isInRun(click: { at: string }): boolean {
    return this.clicks.some((first) => {
      const from = Date.parse(first.at);
      const within = this.clicks.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= from + 10_000);
      const isIn = Date.parse(click.at) >= from && Date.parse(click.at) <= from + 10_000;
      return isIn && within.some(({ linkNo }) => linkNo === 0) && within.some(({ linkNo }) => linkNo === 1);
    });
  }

  counted(): { count: string; at: string }[] {
    const first = (times: string[]) => times.sort()[0];
    const opened = first(this.opens.filter(({ byMachine }) => !byMachine).map(({ at }) => at));
    const clicked = first(this.clicks.filter(({ byMachine }) => !byMachine).map(({ at }) => at));
    const bounces = [this.hardAt, this.softAt].flatMap((at) => at ?? []);
    const cameBackSince = (at: string) => bounces.some((bounce) => bounce >= at);
    const arrived = this.deliveredAt ?? (bounces.length > 0 ? null : this.sentAt);
    const all: [string, string | null | undefined][] = [
      ['sent', this.sentAt],
      ['failed', this.failedAt],
      ['delivered', arrived !== null && this.deliveredAt !== null && cameBackSince(arrived) ? null : arrived],
      ['hardBounced', this.hardAt],
      ['softBounced', this.hardAt === null ? this.softAt : null],
      ['complained', this.complainedAt],
      ['unsubscribed', first(this.leftAt)],
      ['uniqueOpened', opened],
      ['uniqueClicked', clicked],
      ['clickOnly', opened === undefined ? clicked : null],
      ...this.opens.map(({ at, byMachine }): [string, string] => [byMachine ? 'machineOpened' : 'opened', at]),
      ...this.clicks.map(({ at, byMachine }): [string, string] => [byMachine ? 'machineClicked' : 'clicked', at]),
    ];
    return all.flatMap(([count, at]) => (at ? { count, at } : []));
  }

  facts(): Fact[] {
    const { emailId, journeyId, stepId, arms, kind } = this.of;
    if (kind === 'test') return [];
    const own = this.counted();
    const as = (of: Fact['kind'], subject: Fact['subject']) => own.map((fact) => ({ ...fact, kind: of, subject }));
    const ofLinks = [0, 1].flatMap((no) => {
      const clicks = this.clicks.filter(({ linkNo }) => linkNo === no);
      const human = clicks.filter(({ byMachine }) => !byMachine).map(({ at }) => at);
      const each = clicks.map(({ at, byMachine }) => ({ at, count: byMachine ? 'machineClicked' : 'clicked' }));
      const unique = human
        .sort()
        .slice(0, 1)
        .map((at) => ({ at, count: 'uniqueClicked' }));
      return [...each, ...unique].map((fact) => ({ ...fact, kind: 'links' as const, subject: { emailId } }));
    });
    return [
      ...as('tenant', {}),
      ...as('email', { emailId, version: this.version }),
      ...(journeyId ? as('journeys', { journeyId, stepId: stepId as string, emailId }) : []),
      ...(journeyId ? Object.entries(arms ?? {}) : []).flatMap(([split, arm]) =>
        as('arms', { journeyId: journeyId as string, stepId: split, arm }),
      ),
      ...(this.domain === null ? [] : as('domains', { domain: this.domain })),
      ...ofLinks,
    ];
  }
}

type Sums = Record<string, Record<string, number>>;

/** By subject and part of time. Nothing of what is 0. */
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

it('figures are what a plain model says, for any subject and window', async () => {
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
      // Of the erased, addresses are shortened and may become one: their links are others than the model's, and so are first clicks.
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
