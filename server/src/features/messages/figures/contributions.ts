// What a message counts for: a pure function of its row and its engagements. Code that changes a message adds the difference
// between before and after to the figures, so they equal a recount whatever arrives, in whatever order, twice, or is judged again.
// queries.ts says the same in SQL; a test compares the two.
import type { Counts, StoredCount } from './counts.js';
import { type Countable, subjectOfLink, subjectsOf } from './subjects.js';

/** The part of a message that figures depend on. */
export interface CountedMessage extends Countable {
  kind: string;
  /** Kept in the outbox: it was not handed to a mail server. */
  isKept: boolean;
  sentAt: string | null;
  deliveredAt: string | null;
  bouncedAt: string | null;
  softBouncedAt: string | null;
  complainedAt: string | null;
  unsubscribedAt: string | null;
  failedAt: string | null;
  firstOpenedAt: string | null;
  firstClickedAt: string | null;
}

/** An open or a click. `clickOf`: the link, if it is known. */
export interface CountedEngagement {
  what: 'opened' | 'clicked';
  at: string;
  isMachine: boolean | null;
  clickOf: number | null;
}

interface Contribution {
  at: string;
  count: StoredCount;
  /** It counts for this link only. */
  link?: number;
}

/** The moments at which it counts, for all its subjects. Tests do not count. */
function contributionsOf(message: CountedMessage, engagements: readonly CountedEngagement[] = []): Contribution[] {
  if (message.kind === 'test') return [];
  const { firstOpenedAt, firstClickedAt, bouncedAt, softBouncedAt, isKept } = message;
  const contributions: Contribution[] = [];
  const put = (count: StoredCount, at: string | null) => {
    if (at !== null) contributions.push({ at, count });
  };
  put('sent', isKept ? null : message.sentAt);
  put('delivered', isKept ? null : arrivedAt(message));
  put('hardBounced', bouncedAt);
  put('softBounced', bouncedAt === null ? softBouncedAt : null);
  put('complained', message.complainedAt);
  put('unsubscribed', message.unsubscribedAt);
  put('failed', message.failedAt);
  put('uniqueOpened', firstOpenedAt);
  put('uniqueClicked', firstClickedAt);
  put('clickOnly', firstOpenedAt === null ? firstClickedAt : null);
  for (const { what, at, isMachine } of engagements) put(countOf(what, isMachine), at);
  return engagements.length === 0 ? contributions : [...contributions, ...ofLinks(engagements)];
}

/** From a report with no bounce after it. Without a report, a message that did not bounce was delivered when it was sent. */
function arrivedAt({ sentAt, deliveredAt, bouncedAt, softBouncedAt }: CountedMessage): string | null {
  if (deliveredAt === null) return bouncedAt === null && softBouncedAt === null ? sentAt : null;
  const isAfter = (at: string | null) => at !== null && at >= deliveredAt;
  return isAfter(bouncedAt) || isAfter(softBouncedAt) ? null : deliveredAt;
}

function countOf(what: CountedEngagement['what'], isMachine: boolean | null): StoredCount {
  if (what === 'opened') return isMachine ? 'machineOpened' : 'opened';
  return isMachine ? 'machineClicked' : 'clicked';
}

/** Every click counts for its link; for each link, the first click by a person also counts as unique. */
function ofLinks(engagements: readonly CountedEngagement[]): Contribution[] {
  const contributions: Contribution[] = [];
  const firsts = new Map<number, string>();
  for (const { what, at, isMachine, clickOf } of engagements) {
    if (what !== 'clicked' || clickOf === null) continue;
    contributions.push({ at, count: countOf(what, isMachine), link: clickOf });
    const first = firsts.get(clickOf);
    if (!isMachine && (first === undefined || at < first)) firsts.set(clickOf, at);
  }
  for (const [link, at] of firsts) contributions.push({ at, count: 'uniqueClicked', link });
  return contributions;
}

/** A message and its engagements at one moment. */
export interface Counted {
  message: CountedMessage;
  engagements: readonly CountedEngagement[];
}

/** What to add to the figures of a subject in an hour. */
export interface Delta {
  tenantId: number;
  subject: string;
  hour: string;
  counts: Partial<Counts>;
}

/** Collects the effect of changed messages on figures, so that many messages make few rows. */
export class Differences {
  private readonly bySubject = new Map<string, Delta>();

  add(tenantId: number, before: Counted | null, after: Counted): void {
    if (before) this.put(tenantId, before, -1);
    this.put(tenantId, after, 1);
  }

  /** Leaves out sums that cancelled out. */
  deltas(): Delta[] {
    return [...this.bySubject.values()].filter(({ counts }) => Object.values(counts).some((n) => n !== 0));
  }

  private put(tenantId: number, { message, engagements }: Counted, sign: 1 | -1): void {
    const contributions = contributionsOf(message, engagements);
    if (contributions.length === 0) return;
    const subjects = subjectsOf(message);
    for (const { at, count, link } of contributions) {
      const hour = `${at.slice(0, 13)}:00:00Z`;
      if (link !== undefined) this.count(tenantId, subjectOfLink(link), hour, count, sign);
      else for (const subject of subjects) this.count(tenantId, subject, hour, count, sign);
    }
  }

  private count(tenantId: number, subject: string, hour: string, count: StoredCount, sign: 1 | -1): void {
    const key = `${tenantId} ${hour} ${subject}`;
    let delta = this.bySubject.get(key);
    if (!delta) {
      delta = { tenantId, subject, hour, counts: {} };
      this.bySubject.set(key, delta);
    }
    delta.counts[count] = (delta.counts[count] ?? 0) + sign;
  }
}
