// What a message counts for: a pure function of its row and of what people and programs did with it. Code that changes a message puts the
// difference between before and after into the figures, so whatever comes, in whatever order, twice, or is judged again, they equal a
// recount. queries.ts says the same in SQL; a test holds one against the other.
import type { Counts, StoredCount } from './counts.js';
import { type Countable, subjectOfLink, subjectsOf } from './subjects.js';

/** A message as figures know it. */
export interface CountedMessage extends Countable {
  kind: string;
  /** It lies in the outbox: no mail server was asked to take it. */
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

/** An open or a click. `clickOf`: the link, where it is known. */
export interface CountedEngagement {
  what: 'opened' | 'clicked';
  at: string;
  isMachine: boolean | null;
  clickOf: number | null;
}

interface Contribution {
  at: string;
  count: StoredCount;
  /** It counts for this link, and for nothing else. */
  link?: number;
}

/** The moments at which it counts, for all that it belongs to. Tests count for nothing. */
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

/** By a report that no bounce came after; without one, what left and did not come back arrived when it left. */
function arrivedAt({ sentAt, deliveredAt, bouncedAt, softBouncedAt }: CountedMessage): string | null {
  if (deliveredAt === null) return bouncedAt === null && softBouncedAt === null ? sentAt : null;
  const isAfter = (at: string | null) => at !== null && at >= deliveredAt;
  return isAfter(bouncedAt) || isAfter(softBouncedAt) ? null : deliveredAt;
}

function countOf(what: CountedEngagement['what'], isMachine: boolean | null): StoredCount {
  if (what === 'opened') return isMachine ? 'machineOpened' : 'opened';
  return isMachine ? 'machineClicked' : 'clicked';
}

/** Every click for its link; and of each link, the first by a person. */
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

/** A message and what was done with it, at one moment. */
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

/** Gathers what messages that changed do to figures, so that many of them make few rows. */
export class Differences {
  private readonly bySubject = new Map<string, Delta>();

  add(tenantId: number, before: Counted | null, after: Counted): void {
    if (before) this.put(tenantId, before, -1);
    this.put(tenantId, after, 1);
  }

  /** Without what cancelled out. */
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
