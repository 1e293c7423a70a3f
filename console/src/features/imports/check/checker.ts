// Looks at every row of a file before anything is written: what will not be imported, and what the rest will do.
import { otherOrder, readDate } from '../dates/date-format.ts';
import type { Known, MappedColumn } from '../mapping/mapping-target.ts';
import { listFinder, listNamesIn } from '../mapping/outgoing.ts';
import { reasonOfCell, topicWordOf } from '../mapping/words.ts';

type FindingKind =
  | 'noAddress'
  | 'badAddress'
  | 'badDate'
  | 'badWord'
  | 'badStatus'
  | 'unknownList'
  | 'duplicate'
  | 'longRow';

interface Example {
  /** As a spreadsheet counts: the header is row 1. */
  row: number;
  cell: string;
}

export interface Finding {
  kind: FindingKind;
  /** The column that it is about, by its place; undefined if it is about the row. */
  at: number | undefined;
  rows: number;
  examples: Example[];
}

export interface Checked {
  rows: number;
  /** Rows that the service will refuse. */
  refused: number;
  findings: readonly Finding[];
  /** Addresses that will get no mail. */
  suppressed: number;
  /** The lists that the rows name, by id. */
  listIds: readonly string[];
  /** Names of lists that there are none of. */
  unknownLists: readonly string[];
  /** For a column of dates: how many do not read, and how many would not with day and month the other way round. */
  dates: ReadonlyMap<number, { bad: number; badOtherwise: number }>;
  /** A row is shorter or longer than the header, so that the file cannot be sent as it is. */
  isUneven: boolean;
  /** There were too many addresses to compare all of them. */
  isPartlyCompared: boolean;
}

const address = /^[^\s@]+@[^\s@]+$/;
const longestAddress = 254;
const mostExamples = 5;
const mostNames = 20;
// About 100 bytes each in the browser's memory.
const mostCompared = 1_000_000;

/** The same rule as the service's. */
export function isAddress(text: string): boolean {
  const email = text.trim();
  return email.length <= longestAddress && address.test(email);
}

export class Checker {
  private row = 0;
  private rows = 0;
  private refused = 0;
  private suppressed = 0;
  private isUneven = false;
  private readonly findings = new Map<string, Finding>();
  private readonly seen = new Map<string, number>();
  private readonly listIds = new Set<string>();
  private readonly unknownLists = new Set<string>();
  private readonly dates = new Map<number, { bad: number; badOtherwise: number }>();
  private readonly idOf: (name: string) => string | undefined;

  constructor(
    private readonly columns: readonly MappedColumn[],
    known: Known,
    private readonly compared = mostCompared,
  ) {
    this.idOf = listFinder(known);
  }

  /** All rows in their order, with the header and blank lines. */
  take(rows: readonly (readonly string[])[]): void {
    for (const cells of rows) {
      this.row++;
      if (cells.length === 0) continue;
      // The first that is not blank is the header.
      if (this.rows++ > 0) this.look(cells);
    }
  }

  told(): Checked {
    return {
      rows: Math.max(this.rows - 1, 0),
      refused: this.refused,
      findings: [...this.findings.values()],
      suppressed: this.suppressed,
      listIds: [...this.listIds],
      unknownLists: [...this.unknownLists],
      dates: this.dates,
      isUneven: this.isUneven,
      isPartlyCompared: this.seen.size >= this.compared,
    };
  }

  private look(cells: readonly string[]): void {
    const { length } = this.columns;
    if (cells.length !== length) this.isUneven = true;
    const surplus = cells.slice(length).find((cell) => cell.trim() !== '');
    if (surplus !== undefined) this.find('longRow', undefined, surplus);
    let isRefused = false;
    let isSuppressed = false;
    this.columns.forEach(({ target }, at) => {
      const cell = cells[at] ?? '';
      const isEmpty = cell.trim() === '';
      if (target.kind === 'email') isRefused = !this.lookAtAddress(cell, at) || isRefused;
      else if (isEmpty) return;
      else if (target.kind === 'property' && target.type === 'date')
        isRefused = !this.lookAtDate(cell, at, target.format ?? 'ymd') || isRefused;
      else if (target.kind === 'topic' && topicWordOf(cell) === undefined) isRefused = this.find('badWord', at, cell);
      else if (target.kind === 'list') this.lookAtLists(cell, at);
      else if (target.kind === 'status') {
        const reason = reasonOfCell(cell, target.reading);
        if (reason === undefined) isRefused = this.find('badStatus', at, cell);
        else isSuppressed ||= reason !== '';
      }
    });
    if (isRefused) this.refused++;
    if (isSuppressed) this.suppressed++;
  }

  private lookAtAddress(cell: string, at: number): boolean {
    const email = cell.trim().toLowerCase();
    if (email === '') return !this.find('noAddress', at, cell);
    if (!isAddress(email)) return !this.find('badAddress', at, cell);
    if (this.seen.has(email)) this.find('duplicate', at, email);
    else if (this.seen.size < this.compared) this.seen.set(email, this.row);
    return true;
  }

  private lookAtDate(cell: string, at: number, format: Parameters<typeof readDate>[1]): boolean {
    const counts = this.dates.get(at) ?? { bad: 0, badOtherwise: 0 };
    this.dates.set(at, counts);
    const other = otherOrder[format];
    if (other === undefined || readDate(cell, other) === undefined) counts.badOtherwise++;
    if (readDate(cell, format) !== undefined) return true;
    counts.bad++;
    return !this.find('badDate', at, cell);
  }

  private lookAtLists(cell: string, at: number): void {
    for (const name of listNamesIn(cell)) {
      const id = this.idOf(name);
      if (id !== undefined) this.listIds.add(id);
      else {
        if (this.unknownLists.size < mostNames) this.unknownLists.add(name);
        this.find('unknownList', at, name);
      }
    }
  }

  /** Always true, for callers that note that something was found. */
  private find(kind: FindingKind, at: number | undefined, cell: string): true {
    const key = `${kind} ${at}`;
    const finding = this.findings.get(key) ?? { kind, at, rows: 0, examples: [] };
    this.findings.set(key, finding);
    finding.rows++;
    if (finding.examples.length < mostExamples) finding.examples.push({ row: this.row, cell: cell.slice(0, 80) });
    return true;
  }
}
