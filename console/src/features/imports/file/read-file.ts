// A file in the browser: its head at once, all of it piece by piece. However large it is, only one piece is in memory.
import { CsvReader, delimiterOf } from './csv-reader.ts';

const headBytes = 256 * 1024;
const sliceBytes = 128 * 1024;
const mostSamples = 200;
const byteOrderMark = '\uFEFF';

export interface FileHead {
  encoding: string;
  delimiter: string;
  /** Whether the service can read it as it is: UTF-8, commas, line feeds. */
  isPlain: boolean;
  header: readonly string[];
  /** The first rows, for guesses and samples. */
  rows: readonly (readonly string[])[];
  /** How many rows there are; an estimate if the file is longer than its head. */
  rowCount: number;
  isExact: boolean;
}

export async function readHead(file: Blob): Promise<FileHead> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const isWhole = file.size <= headBytes;
  const encoding = encodingOf(bytes, isWhole);
  const text = new TextDecoder(encoding).decode(bytes, { stream: true }).replace(byteOrderMark, '');
  const delimiter = delimiterOf(text);
  const reader = new CsvReader(delimiter);
  const [header = [], ...rows] = [...reader.push(text), ...(isWhole ? reader.end() : [])].filter(
    (row) => row.length > 0,
  );
  return {
    encoding,
    delimiter,
    isPlain: encoding === 'utf-8' && delimiter === ',' && !/\r[^\n]/.test(text),
    header: header.map((name) => name.trim()),
    rows: rows.slice(0, mostSamples),
    rowCount: isWhole ? rows.length : Math.round((rows.length / headBytes) * file.size),
    isExact: isWhole,
  };
}

/** Spreadsheets save in three encodings. Text that is not UTF-8 is treated as the old Western encoding. */
export function encodingOf(bytes: Uint8Array, isWhole: boolean): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** All rows including the header and blank lines, in groups, with how much of the file was read. */
export async function* readRows(file: Blob, { encoding, delimiter }: Pick<FileHead, 'encoding' | 'delimiter'>) {
  const reader = new CsvReader(delimiter);
  const decoder = new TextDecoder(encoding);
  // Slices of our own: some browsers stream a file in pieces so large that reading one holds up the page.
  for (let from = 0; from < file.size; from += sliceBytes) {
    const bytes = await file.slice(from, from + sliceBytes).arrayBuffer();
    const text = decoder.decode(bytes, { stream: true });
    const share = Math.min((from + sliceBytes) / file.size, 1);
    yield { rows: reader.push(from === 0 ? text.replace(byteOrderMark, '') : text), share };
  }
  yield { rows: [...reader.push(decoder.decode()), ...reader.end()], share: 1 };
}
