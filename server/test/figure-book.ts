import type { Fate } from '../src/features/messages/fates/fate.js';
import type { FigureSubject } from '../src/features/messages/figures/queries.js';
import type { Outcome } from '../src/features/messages/sender/outcome.js';
import type { LedgerMessage } from './ledger.js';

export type Told = Extract<Fate, { messageId: string | null }>;

export type Action =
  | { do: 'record'; of: number; what: Outcome['what']; at: string; version: 'default' | 'personalized' }
  | { do: 'hear'; fates: { of: number; fate: Told }[] }
  | { do: 'erase'; of: number }
  | { do: 'fold'; atMost: number };

/** Everything that was counted, one entry each, with every field that can be queried. */
export interface Fact {
  at: string;
  count: string;
  subject: Record<string, string | null>;
  kind: FigureSubject['kind'];
}

/** A message in a plain in-memory model. */
export class Book {
  version: string | null = null;
  domain: string | null = null;
  address: string | null;
  links = 0;
  /** Only messages that had been sent can still have results. */
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

  /** Waiting messages are not sent any more. */
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

  /** Some window of ten seconds contains this click and both links. */
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
