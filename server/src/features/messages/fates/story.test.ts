// In whatever order news about a message arrives, and however often, the ledger, suppressions and activity match a simple model.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fate } from './fate.js';
import { type Happening, Story, type Subject } from './story.js';

const sentAt = '2026-11-15T09:00:00.000Z';
const after = (seconds: number) => new Date(Date.parse(sentAt) + seconds * 1000).toISOString();
const fresh = (links = 3): Subject => ({
  messageId: 'a'.repeat(32),
  state: 'sent',
  reason: null,
  isKept: false,
  address: 'ada@x.io',
  links,
  sentAt,
  deliveredAt: null,
  bouncedAt: null,
  firstOpenedAt: null,
  firstClickedAt: null,
  softBouncedAt: null,
  complainedAt: null,
  unsubscribedAt: null,
});
const { messageId } = fresh();
type Told = Exclude<Fate, { what: 'settled' }>;

const seconds = fc.integer({ min: 0, max: 100 });
const fates = fc.oneof<fc.Arbitrary<Told>[]>(
  seconds.map((s) => ({ what: 'delivered' as const, messageId, at: after(s) })),
  fc.tuple(seconds, fc.boolean(), fc.boolean()).map(([s, isHard, suppresses]) => ({
    ...{ what: 'bounced' as const, messageId, at: after(s), isHard, suppresses, reason: '550 5.1.1 no' },
  })),
  seconds.map((s) => ({ what: 'complained' as const, messageId, at: after(s) })),
  seconds.map((s) => ({ what: 'unsubscribed' as const, messageId, at: after(s) })),
  seconds.map((s) => ({ what: 'resubscribed' as const, messageId, at: after(s) })),
  seconds.map((s) => ({ what: 'opened' as const, messageId, at: after(s), agent: 'Thunderbird' })),
  fc.tuple(seconds, fc.nat(2)).map(([s, linkNo]) => ({
    ...{
      what: 'clicked' as const,
      messageId,
      at: after(s),
      agent: 'Thunderbird',
      linkNo,
      url: `https://x.io/${linkNo}`,
    },
  })),
);

/** The contract's rules, written once more as plainly as possible. */
function model(told: readonly Told[]) {
  const named = (what: Told['what']) => told.filter((fate) => fate.what === what);
  const hard = told.findIndex((fate) => fate.what === 'bounced' && fate.isHard);
  const soft = told.findIndex((fate) => fate.what === 'bounced' && !fate.isHard);
  const isSoft = soft >= 0 && (hard < 0 || soft < hard);
  const clicks = told.flatMap((fate) => (fate.what === 'clicked' ? [fate] : []));
  const machine = clicks.map((click) => {
    const t = (Date.parse(click.at) - Date.parse(sentAt)) / 1000;
    if (t <= 3) return true;
    // Some window of ten seconds contains this click and every link.
    return clicks.some((first) => {
      const from = Date.parse(first.at);
      const within = clicks.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= from + 10_000);
      return within.includes(click) && new Set(within.map(({ linkNo }) => linkNo)).size === 3;
    });
  });
  const human = clicks.filter((_, i) => !machine[i]).map(({ at }) => at as string);
  const opens = named('opened').map(({ at }) => at as string);
  const read = opens.filter((at) => Date.parse(at) - Date.parse(sentAt) > 3000);
  let unsubscribed = 0;
  let isOut = false;
  for (const { what } of told) {
    if (what === 'unsubscribed' && !isOut) unsubscribed++;
    if (what === 'unsubscribed' || what === 'resubscribed') isOut = what === 'unsubscribed';
  }
  return {
    state: hard >= 0 ? 'bounced' : named('delivered').length > 0 ? 'delivered' : 'sent',
    deliveredAt: named('delivered')[0]?.at ?? null,
    bouncedAt: hard < 0 ? null : told[hard]?.at,
    firstOpenedAt: read.sort()[0] ?? null,
    firstClickedAt: human.sort()[0] ?? null,
    activity: {
      ...{ delivered: Math.min(1, named('delivered').length), bounced: Number(hard >= 0) + Number(isSoft) },
      ...{
        complained: Math.min(1, named('complained').length),
        unsubscribed,
        opened: opens.length,
        clicked: clicks.length,
      },
      machineClicks: machine.filter(Boolean).length,
    },
    delivered: hard >= 0 || isSoft ? -1 : 0,
  };
}

function told(fates: readonly Told[], cut: number, message = fresh()) {
  const happenings: Happening[] = [];
  const activities: Story['activities'] = [];
  let delivered = 0;
  // In two runs: the second finds what the first stored.
  for (const part of [fates.slice(0, cut), fates.slice(cut)]) {
    const story = new Story(message, happenings);
    for (const fate of part) {
      // The row has it already.
      if (fate.what === 'sent') Object.assign(message, { sentAt: fate.at, state: 'sent', links: 3 });
      story.take(fate, sentAt);
    }
    for (const click of story.judgedAnew)
      for (const activity of activities) if (activity.of === click) activity.isMachine = click.isMachine as boolean;
    activities.push(...story.activities);
    happenings.forEach((happening, i) => {
      happening.eventNo = i;
    });
    delivered += story.tallies.reduce((sum, tally) => sum + (tally.delivered ?? 0), 0);
  }
  return { message, activities, delivered };
}

describe('the story of a message', () => {
  it('matches a simple model, in any order, with repeats, in one run or two', () => {
    fc.assert(
      fc.property(fc.array(fates, { maxLength: 14 }), fc.nat(14), (list, cut) => {
        const { message, activities, delivered } = told(list, cut);
        const expected = model(list);
        const count = (name: string) => activities.filter((activity) => activity.name === name).length;
        const { state, deliveredAt, bouncedAt, firstOpenedAt, firstClickedAt } = message;
        expect({ state, deliveredAt, bouncedAt, firstOpenedAt, firstClickedAt, delivered }).toEqual({
          ...{ state: expected.state, deliveredAt: expected.deliveredAt, bouncedAt: expected.bouncedAt },
          ...{
            firstOpenedAt: expected.firstOpenedAt,
            firstClickedAt: expected.firstClickedAt,
            delivered: expected.delivered,
          },
        });
        expect({
          ...{ delivered: count('delivered'), bounced: count('bounced'), complained: count('complained') },
          ...{ unsubscribed: count('unsubscribed'), opened: count('opened'), clicked: count('clicked') },
          machineClicks: activities.filter(({ name, isMachine }) => name === 'clicked' && isMachine).length,
        }).toEqual(expected.activity);
      }),
      { numRuns: 2000 },
    );
  });

  it('judges opens and clicks the same whether they came before or after the time of sending was known', () => {
    const engagements = fates.filter(({ what }) => what === 'opened' || what === 'clicked');
    fc.assert(
      fc.property(fc.array(engagements, { maxLength: 10 }), fc.nat(10), fc.nat(10), (list, known, cut) => {
        const { message, activities } = told(
          [...list.slice(0, known), { what: 'sent', messageId, at: sentAt }, ...list.slice(known)],
          cut,
          { ...fresh(), state: 'sending', sentAt: null, links: 0 },
        );
        const expected = model(list);
        expect(message).toMatchObject({
          firstOpenedAt: expected.firstOpenedAt,
          firstClickedAt: expected.firstClickedAt,
        });
        const machines = (name: string) => activities.filter((a) => a.name === name && a.isMachine).length;
        expect(machines('clicked')).toBe(expected.activity.machineClicks);
        expect(machines('opened')).toBe(
          list.filter(({ what, at }) => what === 'opened' && Date.parse(at ?? '') - Date.parse(sentAt) <= 3000).length,
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('treats an open or a click as a person’s while the time of sending is unknown', () => {
    const story = new Story({ ...fresh(), state: 'sending', sentAt: null }, []);
    story.take({ what: 'opened', messageId, at: after(1), agent: 'Thunderbird' }, sentAt);
    story.take({ what: 'opened', messageId, at: after(1), agent: 'GoogleImageProxy' }, sentAt);
    story.take(
      { what: 'clicked', messageId, at: after(2), agent: 'Thunderbird', linkNo: 0, url: 'https://x.io' },
      sentAt,
    );
    expect(story.activities.map(({ isMachine }) => isMachine)).toEqual([false, true, false]);
    expect(story.message).toMatchObject({ firstOpenedAt: after(1), firstClickedAt: after(2) });
  });

  it('leaves a failed or skipped message in its state', () => {
    for (const state of ['failed', 'skipped', 'cancelled', 'sending', 'queued'] as const) {
      const story = new Story({ ...fresh(), state }, []);
      story.take({ what: 'delivered', messageId, at: after(5) }, sentAt);
      story.take({ what: 'bounced', messageId, at: after(6), isHard: true, suppresses: true, reason: 'no' }, sentAt);
      expect(story.message).toMatchObject({ state, deliveredAt: after(5), bouncedAt: after(6) });
    }
  });

  it('keeps the reason of a bounce even if the send is not recorded yet', () => {
    for (const state of ['sending', 'queued'] as const) {
      const story = new Story({ ...fresh(), state, sentAt: null }, []);
      story.take(
        { what: 'bounced', messageId, at: after(6), isHard: true, suppresses: true, reason: '5.1.1 no' },
        sentAt,
      );
      expect(story.message).toMatchObject({ state, reason: '5.1.1 no' });
    }
  });

  it('begins the reason of a bounce with a status, even if none was given', () => {
    const reasonOf = (reason: string | null) => {
      const story = new Story(fresh(), []);
      story.take({ what: 'bounced', messageId, at: after(6), isHard: true, suppresses: true, reason }, sentAt);
      return story.message.reason;
    };
    expect(reasonOf(null)).toBe('5.0.0');
    expect(reasonOf('gone')).toBe('5.0.0 gone');
    expect(reasonOf('5000 of them')).toBe('5.0.0 5000 of them');
    for (const told of ['550', '550 5.1.1 no', '5.1.1 no', '5.1.10']) expect(reasonOf(told)).toBe(told);
  });

  it('keeps no more than 500 opens and clicks', () => {
    const story = new Story(fresh(1), []);
    for (let i = 0; i < 600; i++) story.take({ what: 'opened', messageId, at: after(10 + i), agent: null }, sentAt);
    expect(story.happenings).toHaveLength(500);
    expect(story.activities).toHaveLength(500);
  });
});
