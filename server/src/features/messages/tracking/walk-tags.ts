// Finds the tags of an HTML text where a browser's tokenizer would, without building a tree: rendered mail is changed
// in a few places and must stay as it is everywhere else. Linear time for any text: every character is visited once.

/** Positions are offsets into the whole text. */
interface Attribute {
  /** In lower case. */
  name: string;
  from: number;
  to: number;
  /** Without quotes; if there is no value, both are `to`. */
  valueFrom: number;
  valueTo: number;
  isQuoted: boolean;
}

export interface Tag {
  /** In lower case. */
  name: string;
  isEnd: boolean;
  from: number;
  to: number;
  attributes: Attribute[];
  /** Within `<!--[if mso]>…<![endif]-->`: a comment to all clients except Outlook, which reads it as HTML. */
  isConditional: boolean;
}

interface Visitor {
  /** By lower-case name; other tags are skipped. */
  wants(name: string): boolean;
  visit(tag: Tag): void;
}

/** Calls a visitor for its tags, in order. Returns the end of the text, or the start of an unclosed construct. */
export function walkTags(html: string, visitor: Visitor): number {
  return walk({ text: html, offset: 0, isConditional: false, visitor });
}

/** A text, and its offset in the whole. */
interface Part {
  text: string;
  offset: number;
  isConditional: boolean;
  visitor: Visitor;
}

function walk(part: Part): number {
  const { text } = part;
  let at = 0;
  for (;;) {
    const open = text.indexOf('<', at);
    if (open < 0) return text.length;
    at = pass(part, open);
    if (at < 0) return open;
  }
}

const [slash, greater, equals, quote, apostrophe] = [0x2f, 0x3e, 0x3d, 0x22, 0x27];
const [exclamation, question] = [0x21, 0x3f];

/** Returns the offset after what begins with this `<`; -1 if it has no end. */
function pass(part: Part, open: number): number {
  const { text } = part;
  const next = text.charCodeAt(open + 1);
  if (isLetter(next)) return passTag(part, open, false);
  if (next === exclamation) return text.startsWith('--', open + 2) ? passComment(part, open) : pastGreater(text, open);
  if (next === question) return pastGreater(text, open);
  if (next !== slash) return open + 1;
  const afterSlash = text.charCodeAt(open + 2);
  if (isLetter(afterSlash)) return passTag(part, open, true);
  return Number.isNaN(afterSlash) ? open + 2 : pastGreater(text, open);
}

function pastGreater(text: string, from: number): number {
  return text.indexOf('>', from) + 1 || -1;
}

function passComment({ text, offset, visitor }: Part, open: number): number {
  const inside = open + 4;
  if (text.startsWith('>', inside)) return inside + 1;
  if (text.startsWith('->', inside)) return inside + 2;
  const closer = /--!?>/g;
  closer.lastIndex = inside;
  const close = closer.exec(text);
  if (!close) return -1;
  // Parsed as a text of its own, so that nothing in it extends beyond the comment.
  const comment = text.slice(inside, close.index);
  const condition = /^\[if[^\]]*\]>/i.exec(comment)?.[0].length;
  if (condition !== undefined)
    walk({ text: comment.slice(condition), offset: offset + inside + condition, isConditional: true, visitor });
  return closer.lastIndex;
}

// The content of these elements is text, up to their end tag. (A script with another script in a comment ends at the second end tag,
// but no mail has scripts.)
const rawNames = ['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext'];
const closers = new Map(rawNames.map((name) => [name, new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')]));

function passTag(part: Part, open: number, isEnd: boolean): number {
  const { text, offset, visitor } = part;
  const nameFrom = isEnd ? open + 2 : open + 1;
  const nameTo = wordEnd(text, nameFrom);
  const name = text.slice(nameFrom, nameTo).toLowerCase();
  const attributes: Attribute[] | undefined = visitor.wants(name) ? [] : undefined;
  const end = passAttributes(text, nameTo, offset, attributes);
  if (end < 0) return -1;
  if (attributes)
    visitor.visit({
      ...{ name, isEnd, attributes, isConditional: part.isConditional },
      ...{ from: offset + open, to: offset + end },
    });
  const closer = isEnd ? undefined : closers.get(name);
  if (!closer) return end;
  closer.lastIndex = end;
  return closer.exec(text)?.index ?? -1;
}

/** Returns the offset after the `>` of a tag; -1 if there is none outside quotes. */
function passAttributes(text: string, from: number, offset: number, found: Attribute[] | undefined): number {
  let at = from;
  for (;;) {
    while (isSpace(text.charCodeAt(at)) || text.charCodeAt(at) === slash) at++;
    if (at >= text.length) return -1;
    if (text.charCodeAt(at) === greater) return at + 1;
    const nameFrom = at;
    // An equals sign here is the first letter of a name.
    const nameTo = wordEnd(text, at + 1, true);
    const sign = pastSpace(text, nameTo);
    let value = { from: nameTo, to: nameTo, end: nameTo };
    if (text.charCodeAt(sign) === equals) {
      const read = readValue(text, pastSpace(text, sign + 1));
      if (!read) return -1;
      value = read;
    }
    at = value.end;
    found?.push({
      name: text.slice(nameFrom, nameTo).toLowerCase(),
      ...{ from: offset + nameFrom, to: offset + at },
      ...{ valueFrom: offset + value.from, valueTo: offset + value.to, isQuoted: value.end > value.to },
    });
  }
}

function readValue(text: string, at: number): { from: number; to: number; end: number } | undefined {
  const first = text.charCodeAt(at);
  if (first === quote || first === apostrophe) {
    const close = text.indexOf(first === quote ? '"' : "'", at + 1);
    return close < 0 ? undefined : { from: at + 1, to: close, end: close + 1 };
  }
  let end = at;
  while (end < text.length && !isSpace(text.charCodeAt(end)) && text.charCodeAt(end) !== greater) end++;
  return { from: at, to: end, end };
}

/** Returns the end of a tag or attribute name. An equals sign also ends the latter. */
function wordEnd(text: string, from: number, isAttribute = false): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || code === slash || code === greater || (isAttribute && code === equals)) break;
  }
  return at;
}

function pastSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}
