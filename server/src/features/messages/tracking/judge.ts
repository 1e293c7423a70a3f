// Who opened or clicked: a person, or a machine that looks at mail for one. Pure, so that it can be asked again later: a
// scanner may show only by its last click.

/** Kept with each engagement. Another one whenever a rule below changes, or the list of agents. */
export const rulesVersion = 2;

/** No person reads a mail this soon: up to and including 3.000 s after it was sent. */
const tooSoonMs = 3000;

/** The transport's word that a mail was taken comes after the first look at it, by as long as an attempt takes at most. */
const longestAttemptMs = 60_000;

/** No person follows every link this fast: from the first to the last click of a run there are 10.000 s at most. */
const runMs = 10_000;

/**
 * An open is a machine's by a known proxy or scanner (`isProxy`), or within 3 s of sending. Null: it is not known yet when it left; then its
 * agent alone tells, until that is known.
 */
export function isMachineOpen({ at, isProxy }: { at: string; isProxy: boolean }, sentAt: string | null): boolean {
  return isProxy || isTooSoon(at, sentAt);
}

export interface Click {
  at: string;
  linkNo: number;
  /** By its agent: see agents.ts. */
  isScanner: boolean;
}

/**
 * Which clicks of one message are a machine's, in the order in which they are given: within 3 s of sending, by a known
 * scanner, or one of a run that followed every link of a message with two or more within 10 s. All clicks of such a run
 * are, repeats too, whatever else made them suspect. The order of arrival does not matter, only when they were.
 * `linkCount`: the links that every reader sees, numbered below it. `sentAt`: as with opens.
 */
export function judgeClicks(clicks: readonly Click[], linkCount: number, sentAt: string | null): boolean[] {
  const isInRun = linkCount >= 2 ? findRuns(clicks, linkCount) : [];
  return clicks.map((click, index) => click.isScanner || isTooSoon(click.at, sentAt) || isInRun[index] === true);
}

/** Shortly before it was sent is too soon as well. Long before, it was read in a mail that had left already, and was sent once more. */
function isTooSoon(at: string, sentAt: string | null): boolean {
  if (sentAt === null) return false;
  const after = Date.parse(at) - Date.parse(sentAt);
  return after <= tooSoonMs && after >= -longestAttemptMs;
}

/** A window of 10 s slides along the clicks; where it holds every link, all clicks in it are one run. */
function findRuns(clicks: readonly Click[], linkCount: number): boolean[] {
  const inTime = clicks.map(({ at, linkNo }, index) => ({ time: Date.parse(at), linkNo, index }));
  inTime.sort((a, b) => a.time - b.time);
  const isInRun: boolean[] = clicks.map(() => false);
  const held = new Links(linkCount);
  let first = 0;
  // Clicks before this one are marked already.
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
