// Decides whether a person opened or clicked, or a machine that inspects mail. Pure, so that it can be asked again later: a
// scanner may show only by its last click.

/** Stored with each engagement. Increase it whenever a rule below or the list of agents changes. */
export const rulesVersion = 2;

/** No person reads a mail this soon: up to and including 3.000 s after it was sent. */
const tooSoonMs = 3000;

/** The mail server's reply may come after the first open or click, by at most the duration of an attempt. */
const longestAttemptMs = 60_000;

/** No person follows every link this fast: at most 10.000 s from the first to the last click of a run. */
const runMs = 10_000;

/**
 * An open is a machine's if it is by a known proxy or scanner (`isProxy`), or within 3 s of sending. Null: the time of sending is not known
 * yet; until then only the agent decides.
 */
export function isMachineOpen({ at, isProxy }: { at: string; isProxy: boolean }, sentAt: string | null): boolean {
  return isProxy || isTooSoon(at, sentAt);
}

export interface Click {
  at: string;
  linkNo: number;
  /** By its user agent: see agents.ts. */
  isScanner: boolean;
}

/**
 * Returns which clicks of one message are a machine's, in the given order: within 3 s of sending, by a known
 * scanner, or part of a run that followed every link of a message with two or more links within 10 s. All clicks of such a
 * run count, repeats too, even those already marked for other reasons. Only the times matter, not the order of arrival.
 * `linkCount`: the links that every reader sees, numbered below it. `sentAt`: as with opens.
 */
export function judgeClicks(clicks: readonly Click[], linkCount: number, sentAt: string | null): boolean[] {
  const isInRun = linkCount >= 2 ? findRuns(clicks, linkCount) : [];
  return clicks.map((click, index) => click.isScanner || isTooSoon(click.at, sentAt) || isInRun[index] === true);
}

/** Shortly before sending is too soon as well. Long before, it was read in an earlier mail, because the message was sent again. */
function isTooSoon(at: string, sentAt: string | null): boolean {
  if (sentAt === null) return false;
  const after = Date.parse(at) - Date.parse(sentAt);
  return after <= tooSoonMs && after >= -longestAttemptMs;
}

/** A window of 10 s slides along the clicks; if it contains every link, all clicks in it are one run. */
function findRuns(clicks: readonly Click[], linkCount: number): boolean[] {
  const inTime = clicks.map(({ at, linkNo }, index) => ({ time: Date.parse(at), linkNo, index }));
  inTime.sort((a, b) => a.time - b.time);
  const isInRun: boolean[] = clicks.map(() => false);
  const held = new Links(linkCount);
  let first = 0;
  // Clicks before this one are already marked.
  let unmarked = 0;
  for (const [last, { time, linkNo }] of inTime.entries()) {
    held.add(linkNo);
    for (; time - (inTime[first]?.time ?? time) > runMs; first++) held.remove(inTime[first]?.linkNo ?? -1);
    if (!held.isComplete) continue;
    for (let at = Math.max(first, unmarked); at <= last; at++) isInRun[inTime[at]?.index ?? -1] = true;
    unmarked = last + 1;
  }
  return isInRun;
}

/** How often each link is in the window. Links that not every reader sees do not count. */
class Links {
  private readonly times = new Map<number, number>();

  constructor(private readonly count: number) {}

  get isComplete(): boolean {
    return this.times.size === this.count;
  }

  add(linkNo: number): void {
    if (linkNo < this.count) this.times.set(linkNo, (this.times.get(linkNo) ?? 0) + 1);
  }

  remove(linkNo: number): void {
    const left = (this.times.get(linkNo) ?? 0) - 1;
    if (left > 0) this.times.set(linkNo, left);
    else this.times.delete(linkNo);
  }
}
