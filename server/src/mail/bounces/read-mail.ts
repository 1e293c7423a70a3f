// A mail, as the readers of bounces and complaints look at it, and what they make of it.
import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { withoutTags } from '../plain-text.js';
import { type Fields, readHeader } from './fields.js';

export type Report =
  | {
      what: 'bounced';
      isHard: boolean;
      suppresses: boolean;
      /** `5.1.1` or `550`. */
      status: string;
      /** For people; begins with the status. */
      reason: string;
      recipient: string | null;
      /** The Message-ID of the message that it is about, without brackets. */
      headerId: string | null;
    }
  | { what: 'complained'; reason: string; recipient: string | null; headerId: string | null }
  | { what: 'delivered'; recipient: string | null; headerId: string | null };

/** A mail, as the readers of its kinds look at it. */
export interface ReadMail {
  header: Fields;
  text: string;
  /** The decoded text of the first part of one of these types. */
  part(...types: string[]): string | undefined;
  /** The fields of the message that it is about, where it has them. */
  original: Fields | undefined;
}

/**
 * The report comes first, then the message that it is about. The header of that message is enough: the rest of the mail is not
 * read. Postal-mime takes at least 15 µs per line, more the more lines there are (12 s for 256 KiB of empty ones), and 60 µs per part;
 * a report has three parts.
 */
export const most = { bytes: 256 * 1024, lines: 4000, parts: 50, headers: 128 * 1024, depth: 32 };

/** Undefined for what is no mail. */
export async function readMail(raw: Buffer | Uint8Array): Promise<ReadMail | undefined> {
  let email: Email;
  try {
    email = await PostalMime.parse(beginningOf(raw), {
      forceRfc822Attachments: true,
      maxHeadersSize: most.headers,
      maxNestingDepth: most.depth,
    });
  } catch {
    return undefined;
  }
  const part: ReadMail['part'] = (...types) => {
    const found = email.attachments.find(({ mimeType }) => types.includes(mimeType));
    return found && textOf(found);
  };
  const original = part('message/rfc822', 'message/global', 'text/rfc822-headers', 'message/global-headers');
  return {
    header: new Map(email.headers.toReversed().map(({ key, value }) => [key, value])),
    text: email.text ?? withoutTags(email.html ?? ''),
    part,
    original: original === undefined ? undefined : readHeader(original),
  };
}

/** The text of a mail's header, to look for the address that it came to. */
export function headerTextOf(raw: Buffer | Uint8Array): string {
  const bytes = beginningOf(raw);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.slice(0, /\r?\n\r?\n/.exec(text)?.index);
}

function beginningOf(raw: Buffer | Uint8Array): Uint8Array {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, most.bytes));
  const boundaries = boundariesIn(bytes);
  let start = 0;
  let parts = 0;
  for (let lines = 0; lines < most.lines; lines++) {
    const end = bytes.indexOf(0x0a, start);
    if (isBoundary(bytes, start, end < 0 ? bytes.length : end, boundaries) && ++parts > most.parts)
      return bytes.subarray(0, start);
    if (end < 0) return bytes;
    start = end + 1;
  }
  return bytes.subarray(0, start);
}

/** Those that the mail declares, wherever it does: no part begins with any other. */
function boundariesIn(bytes: Buffer): Set<string> {
  const declared = bytes.toString('latin1').matchAll(/boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi);
  return new Set(Array.from(declared, ([, quoted, bare]) => (quoted ?? bare ?? '').trimEnd()));
}

const dash = 0x2d;

function isBoundary(bytes: Buffer, start: number, end: number, boundaries: ReadonlySet<string>): boolean {
  if (bytes[start] !== dash || bytes[start + 1] !== dash || end - start > 300) return false;
  const named = bytes.toString('latin1', start + 2, end).trimEnd();
  return boundaries.has(named) || (named.endsWith('--') && boundaries.has(named.slice(0, -2)));
}

function textOf({ content }: Attachment): string {
  return typeof content === 'string' ? content : utf8.decode(content);
}

const utf8 = new TextDecoder();
