// Decides what a fate does to a message. Pure: it takes the row and its history, and returns what to store.
import type { MarketingEventName, MessageState, NoticeType, SuppressionReason } from '@rapport/contract';
import { isProxyOrScanner, isScanner } from '../tracking/agents.js';
import { isMachineOpen, judgeClicks } from '../tracking/judge.js';
import type { Fate } from './fate.js';

/** The part of a ledger row that fates change. */
export interface Subject {
  messageId: string;
  state: MessageState;
  reason: string | null;
  /** Kept in the outbox: it counts as neither sent nor delivered. */
  isKept: boolean;
  address: string | null;
  links: number;
  sentAt: string | null;
  deliveredAt: string | null;
  bouncedAt: string | null;
  firstOpenedAt: string | null;
  firstClickedAt: string | null;
  softBouncedAt: string | null;
  complainedAt: string | null;
  /** First times only: a message may bounce and be sent again. */
  unsubscribedAt: string | null;
}

/** Something that happened to a message. `eventNo` is null until it is stored. */
export interface Happening {
  eventNo: number | null;
  at: string;
  what: Heard;
  detail: string | null;
  linkNo: number | null;
  isMachine: boolean | null;
  /** Judged by its user agent alone, for opens including proxies: this holds whatever other engagements show, and whenever it was sent. */
  isScanner: boolean;
  activityNo: number | null;
  /** For a click: its address, see figures/links/. */
  clickOf: number | null;
}
type Heard = NoticeType | 'softBounced' | 'resubscribed' | 'opened' | 'clicked';

/** Its entry on the contact's timeline. `of`: the happening that it came from. */
export interface Activity {
  name: MarketingEventName;
  at: string;
  linkUrl: string | null;
  isMachine: boolean;
  /** For an unsubscription from one topic. */
  topicId: string | null;
  of: Happening | null;
}

/** Its effect on the tenant's figures, and when it counts. */
export interface Tally {
  at: string;
  sent?: number;
  delivered?: number;
  hardBounced?: number;
  complained?: number;
}

const plain = { linkUrl: null, isMachine: false, topicId: null, of: null };

// A client that keeps loading the picture must not fill the ledger.
const mostEngagements = 500;

export class Story {
  readonly activities: Activity[] = [];
  readonly tallies: Tally[] = [];
  readonly suppressions: SuppressionReason[] = [];
  /** Stored happenings that are now judged differently. */
  readonly judgedAnew = new Set<Happening>();
  isChanged = false;

  constructor(
    readonly message: Subject,
    readonly happenings: Happening[],
  ) {}

  take(fate: Exclude<Fate, { what: 'settled' }>, now: string): void {
    const at = fate.at ?? now;
    switch (fate.what) {
      case 'sent':
        this.sent(at, fate.bounce !== undefined, fate.isKept ?? false);
        break;
      case 'delivered':
        this.delivered(at);
        break;
      case 'bounced':
        this.bounced(at, fate);
        break;
      case 'complained':
        this.complained(at, fate.reason ?? null);
        break;
      case 'unsubscribed':
        this.unsubscribed(at, fate.topicId ?? null, fate.isStored ?? false);
        break;
      case 'resubscribed':
        if (this.hasLeft(fate.topicId ?? null)) this.add('resubscribed', at, fate.topicId ?? null);
        break;
      case 'opened':
        this.opened(at, isProxyOrScanner(fate.agent));
        break;
      case 'clicked':
        this.clicked(at, fate);
        break;
      default:
        fate satisfies never;
    }
  }

  private sent(at: string, isRefused: boolean, isKept: boolean): void {
    this.activities.push({ ...plain, name: 'sent', at });
    // The limits on complaints and bounces include kept messages, so they can be tried without a mail server.
    this.tallies.push({ at, sent: 1, ...(isRefused ? { hardBounced: 1 } : isKept ? {} : { delivered: 1 }) });
    if (isRefused) this.activities.push({ ...plain, name: 'bounced', at });
    // Some engagements may have been recorded before the time of sending was known.
    this.judgeOpens();
    this.judgeClicks();
  }

  /** A message with a report has been sent, even if we kept it: a person took it from the outbox. */
  private leave(): void {
    const { isKept, sentAt } = this.message;
    if (!isKept) return;
    this.change({ isKept: false, reason: null });
    if (sentAt !== null) this.tallies.push({ at: sentAt, delivered: 1 });
  }

  private delivered(at: string): void {
    if (this.message.deliveredAt !== null) return;
    this.leave();
    this.change({ deliveredAt: at, ...(this.message.state === 'sent' ? { state: 'delivered' } : {}) });
    this.tell(this.add('delivered', at));
  }

  private bounced(at: string, { isHard, suppresses, reason }: Extract<Fate, { what: 'bounced' }>): void {
    const { bouncedAt, state } = this.message;
    if (isHard && suppresses) this.suppressions.push('bounced');
    if (bouncedAt !== null || (!isHard && this.has('softBounced'))) return;
    this.leave();
    // It is subtracted from delivered only once, however often it bounces.
    if (!this.has('softBounced')) this.tallies.push({ at: this.message.sentAt ?? at, delivered: -1 });
    if (isHard) {
      const hasLeft = state === 'sent' || state === 'delivered';
      // A report may arrive before we record the send: the reason waits for that.
      const isLeaving = state === 'sending' || state === 'queued';
      this.change({
        bouncedAt: at,
        ...(hasLeft ? { state: 'bounced' } : {}),
        ...(hasLeft || isLeaving ? { reason: withStatus(reason) } : {}),
      });
      this.tallies.push({ at, hardBounced: 1 });
    } else this.change({ softBouncedAt: at });
    this.tell(this.add(isHard ? 'bounced' : 'softBounced', at, reason), 'bounced');
  }

  private complained(at: string, reason: string | null): void {
    this.suppressions.push('complained');
    if (this.has('complained')) return;
    this.leave();
    this.change({ complainedAt: at });
    this.tallies.push({ at, complained: 1 });
    this.tell(this.add('complained', at, reason));
  }

  /** From a topic, which consent has already stored, or from everything. */
  private unsubscribed(at: string, topicId: string | null, isStored: boolean): void {
    // What a page stored may have been taken back since.
    if (topicId === null && !isStored) this.suppressions.push('unsubscribed');
    // Consent tells a change of a topic only once, and knows of those that did not come through this message.
    if (topicId === null && this.hasLeft(null)) return;
    this.tell(this.add('unsubscribed', at, topicId));
    const { unsubscribedAt } = this.message;
    if (unsubscribedAt === null || at < unsubscribedAt) this.change({ unsubscribedAt: at });
  }

  private opened(at: string, isScanner: boolean): void {
    if (this.isFull) return;
    const open = this.add('opened', at);
    open.isScanner = isScanner;
    open.isMachine = isMachineOpen({ at, isProxy: isScanner }, this.message.sentAt);
    this.tell(open);
    const { firstOpenedAt } = this.message;
    if (!open.isMachine && (firstOpenedAt === null || at < firstOpenedAt)) this.change({ firstOpenedAt: at });
  }

  private judgeOpens(): void {
    const opens = this.happenings.filter(({ what }) => what === 'opened');
    for (const open of opens)
      this.judge(open, isMachineOpen({ at: open.at, isProxy: open.isScanner }, this.message.sentAt));
    const firstOpenedAt = firstByPerson(opens);
    if (firstOpenedAt !== this.message.firstOpenedAt) this.change({ firstOpenedAt });
  }

  private clicked(at: string, { agent, linkNo, url }: Extract<Fate, { what: 'clicked' }>): void {
    if (this.isFull) return;
    const click = this.add('clicked', at, url);
    click.linkNo = linkNo;
    click.isScanner = isScanner(agent);
    this.judgeClicks();
    this.tell(click);
  }

  /** Judges all clicks together: a new one may show that earlier ones were a machine's. */
  private judgeClicks(): void {
    const { sentAt, links } = this.message;
    const clicks = this.happenings.filter(({ what }) => what === 'clicked');
    const machine = judgeClicks(
      clicks.map(({ at, linkNo, isScanner }) => ({ at, linkNo: linkNo ?? 0, isScanner })),
      links,
      sentAt,
    );
    clicks.forEach((click, i) => {
      this.judge(click, machine[i] as boolean);
    });
    const firstClickedAt = firstByPerson(clicks);
    if (firstClickedAt !== this.message.firstClickedAt) this.change({ firstClickedAt });
  }

  private judge(engagement: Happening, isMachine: boolean): void {
    const before = engagement.isMachine;
    engagement.isMachine = isMachine;
    if (before === null || before === isMachine) return;
    if (engagement.eventNo !== null) this.judgedAnew.add(engagement);
    for (const activity of this.activities) if (activity.of === engagement) activity.isMachine = isMachine;
  }

  private get isFull(): boolean {
    return this.happenings.filter(({ what }) => what === 'opened' || what === 'clicked').length >= mostEngagements;
  }

  private hasLeft(topicId: string | null): boolean {
    const said = this.happenings.filter(({ what }) => what === 'unsubscribed' || what === 'resubscribed');
    return said.findLast(({ detail }) => detail === topicId)?.what === 'unsubscribed';
  }

  private has(what: Heard): boolean {
    return this.happenings.some((happening) => happening.what === what);
  }

  private add(what: Heard, at: string, detail: string | null = null): Happening {
    const unknown = { eventNo: null, linkNo: null, isMachine: null, activityNo: null, clickOf: null };
    const happening: Happening = { ...unknown, at, what, detail, isScanner: false };
    this.happenings.push(happening);
    return happening;
  }

  private tell(of: Happening, name = of.what as Activity['name']): void {
    const linkUrl = of.what === 'clicked' ? of.detail : null;
    const topicId = of.what === 'unsubscribed' ? of.detail : null;
    this.activities.push({ name, at: of.at, linkUrl, isMachine: of.isMachine ?? false, topicId, of });
  }

  private change(changes: Partial<Subject>): void {
    Object.assign(this.message, changes);
    this.isChanged = true;
  }
}

function firstByPerson(engagements: readonly Happening[]): string | null {
  const human = engagements.filter(({ isMachine }) => !isMachine).map(({ at }) => at);
  return human.length === 0 ? null : human.reduce((a, b) => (a < b ? a : b));
}

/** The reason of a bounce begins with a status code; if none is known, the generic permanent one (RFC 3463). */
function withStatus(reason: string | null): string {
  return reason !== null && /^5(\d\d|\.\d{1,3}\.\d{1,3})(?!\d)/.test(reason) ? reason : `5.0.0 ${reason ?? ''}`.trim();
}
