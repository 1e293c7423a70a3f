// A backup is lines of JSON in gzip. A row is an object whose values are text as PostgreSQL writes it, or null: numbers
// of 64 bits, bytes and JSON come back as they were, because nothing but PostgreSQL ever reads them. All other lines
// are arrays that start with a word:
//   ["rapport-backup", {format, createdAt, postgres, migrations}]   first
//   ["table", name, [columns]]                                      then its rows
//   ["end", {rows: {table: count}, sequences: {name: value}, sha256}]
//     last; a file without it is not whole. sha256 is that of all lines before it; older builds wrote none
import { createHash } from 'node:crypto';
import { isObject } from '@rapport/contract';
import { Complaint } from '../complaint.js';
import type { AppliedMigration } from './tables.js';

const format = 1;
const firstWord = 'rapport-backup';

export interface Header {
  createdAt: string;
  postgres: string;
  migrations: AppliedMigration[];
}
interface End {
  rows: Record<string, number>;
  sequences: Record<string, string>;
  sha256?: string | undefined;
}
export type Part =
  | { kind: 'header'; header: Header }
  | { kind: 'table'; name: string; columns: string[] }
  | { kind: 'row'; json: string }
  | ({ kind: 'end' } & End);

/** Of all lines of a file but the last. */
export class Checksum {
  readonly #hash = createHash('sha256');

  /** Text of whole lines, or of parts of one. Returns it. */
  add(text: string): string {
    this.#hash.update(text);
    return text;
  }

  value(): string {
    return this.#hash.copy().digest('hex');
  }
}

export function headerLine(header: Header): string {
  return `${JSON.stringify([firstWord, { format, ...header }])}\n`;
}

export function tableLine(name: string, columns: string[]): string {
  return `${JSON.stringify(['table', name, columns])}\n`;
}

export function endLine(end: End): string {
  return `${JSON.stringify(['end', end])}\n`;
}

export function readLine(file: string, line: string): Part {
  if (line.startsWith('{')) return { kind: 'row', json: line };
  const [word, first, second] = parseArray(file, line);
  if (word === firstWord) return { kind: 'header', header: readHeader(file, first) };
  if (word === 'table' && isText(first) && isListOf(second, isText))
    return { kind: 'table', name: first, columns: second };
  if (word === 'end' && isEnd(first)) {
    const { rows, sequences, sha256 } = first;
    return { kind: 'end', rows, sequences, sha256 };
  }
  throw broken(file, 'it has a line that this build does not know');
}

function parseArray(file: string, line: string): unknown[] {
  try {
    const value: unknown = JSON.parse(line);
    if (Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw notOurs(file);
}

function readHeader(file: string, header: unknown): Header {
  if (!isObject(header)) throw notOurs(file);
  if (header.format !== format) {
    throw new Complaint(
      `${file} has format ${header.format}, and this build reads format ${format}. ` +
        'Use the build that made it, or a newer one.',
    );
  }
  const { createdAt, postgres, migrations } = header;
  if (isText(createdAt) && isText(postgres) && isListOf(migrations, isMigration) && migrations.length > 0)
    return { createdAt, postgres, migrations };
  throw broken(file, 'its first line is not that of a backup');
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isMigration(value: unknown): value is AppliedMigration {
  return isObject(value) && isNumber(value.version) && isText(value.name) && isText(value.checksum);
}

function isEnd(value: unknown): value is End {
  if (!isObject(value) || !isObject(value.rows) || !isObject(value.sequences)) return false;
  if (value.sha256 !== undefined && !isText(value.sha256)) return false;
  return isListOf(Object.values(value.rows), isNumber) && isListOf(Object.values(value.sequences), isText);
}

export function notOurs(file: string): Complaint {
  return new Complaint(`${file} is not a backup of Rapport.`);
}

export function broken(file: string, why: string): Complaint {
  return new Complaint(`${file} is not whole: ${why}. Nothing was restored; use another backup.`);
}
