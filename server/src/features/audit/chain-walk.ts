// Whether entries in their order are one unbroken chain. Pure.
import { firstHash, hashOf } from './chain.js';
import type { EntryRow, HeadRow } from './queries.js';

// Once a log is broken in this many places, the rest need not be reported.
const mostFaults = 100;

export class ChainWalk {
  readonly faults: string[] = [];
  entries = 0;
  lastHash: string | null = null;
  private expectedNo = 1;
  private before: string;
  private isExpectedSeen: boolean;

  /** @param expected a hash, hex, that must be that of an entry. */
  constructor(
    tenantId: number,
    private readonly expected?: string,
  ) {
    this.before = firstHash(tenantId);
    this.isExpectedSeen = expected === undefined;
  }

  get isEnough(): boolean {
    return this.faults.length >= mostFaults;
  }

  /** The next entry, by number. */
  take(entry: EntryRow): void {
    this.entries++;
    const { entryNo } = entry;
    if (entryNo < this.expectedNo) {
      this.fault(`${nameOf(entry)} was put in: the log begins with entry 1.`);
      return;
    }
    if (entryNo > this.expectedNo) this.missing(entryNo - 1);
    // After a gap the previous hash is unknown.
    else if (hashOf(this.before, entryNo, entry) !== entry.hash) this.fault(whyUnfit(entry));
    this.before = entry.hash;
    this.lastHash = entry.hash;
    this.isExpectedSeen ||= entry.hash === this.expected;
    this.expectedNo = entryNo + 1;
  }

  /** After the last entry: what the head says of it. */
  end(head: HeadRow | undefined): void {
    if (this.isEnough) {
      this.fault('There may be more; the walk ended here.');
      return;
    }
    const lastNo = this.expectedNo - 1;
    if (!head) {
      if (this.entries > 0) this.fault('The head is missing: nothing says which entry is the last one.');
    } else if (head.entryNo > lastNo) this.missing(head.entryNo);
    else if (head.entryNo < lastNo)
      this.fault(`The head says that entry ${head.entryNo} is the last one, and there are entries up to ${lastNo}.`);
    else if (head.hash !== this.before)
      this.fault(`The head has another hash than entry ${lastNo}: one of the two was changed.`);
    if (!this.isExpectedSeen)
      this.fault(
        `No entry has the hash ${this.expected}: the log was cut off before it, or written anew, or the hash is another tenant's.`,
      );
  }

  private missing(until: number): void {
    const from = this.expectedNo;
    this.fault(from === until ? `Entry ${from} is missing.` : `Entries ${from} to ${until} are missing.`);
  }

  private fault(sentence: string): void {
    this.faults.push(sentence);
  }
}

function nameOf({ entryNo, action, at }: EntryRow): string {
  return `Entry ${entryNo} (${action}, ${at})`;
}

function whyUnfit(entry: EntryRow): string {
  return `${nameOf(entry)} does not fit its hash: it or the entry before it was changed, exchanged or moved.`;
}
