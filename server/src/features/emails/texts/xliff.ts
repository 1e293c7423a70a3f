// XLIFF 2: the texts of an email as translators and their tools exchange them.
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { type Piece, piecesOf } from './codes.js';
import type { GivenUnit, Unit } from './units.js';

const namespace = 'urn:oasis:names:tc:xliff:document:2.0';

interface Document {
  emailId: string;
  sourceLanguage: string;
  language: string;
}

/** Places have brackets, which an id must not have. */
export function xliffId(place: string): string {
  return place.replaceAll(/\[(\d+)\]/g, '.$1');
}

export function writeXliff({ emailId, sourceLanguage, language }: Document, units: readonly Unit[]): string {
  const shown = units.map(({ id, source, target, isPlain }) => {
    const write = (text: string) => (isPlain ? writeChars(text) : piecesOf(text).map(writePiece).join(''));
    const state = target === null ? 'initial' : 'translated';
    const translated = target === null ? '' : `<target>${write(target)}</target>`;
    return `    <unit id="${xliffId(id)}" xml:space="preserve">\n      <segment state="${state}"><source>${write(source)}</source>${translated}</segment>\n    </unit>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff xmlns="${namespace}" version="2.0" srcLang="${sourceLanguage}" trgLang="${language}">`,
    `  <file id="${emailId}">`,
    ...shown,
    '  </file>',
    '</xliff>',
    '',
  ].join('\n');
}

function writePiece(piece: Piece): string {
  switch (piece.kind) {
    case 'text':
      return writeChars(piece.text);
    case 'open':
      return `<pc id="${piece.code}">`;
    case 'close':
      return '</pc>';
    case 'alone':
      return `<ph id="${piece.code}"/>`;
    default:
      return piece satisfies never;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot have them as they are
const special = /[\u0000-\u001f\u007f-\u009f&<>\ufffe\uffff]/g;

function writeChars(text: string): string {
  return text.replaceAll(special, (sign) => {
    if (sign === '&') return '&amp;';
    if (sign === '<') return '&lt;';
    if (sign === '>') return '&gt;';
    if (sign === '\n' || sign === '\t') return sign;
    const code = sign.charCodeAt(0);
    return sign === '\r' ? '&#13;' : `<cp hex="${code.toString(16).toUpperCase().padStart(4, '0')}"/>`;
  });
}

/** What is not XLIFF 2, or not safe to read, in words. */
export class XliffFault extends Error {}

interface ReadXliff extends Omit<Document, 'language'> {
  language: string | undefined;
  units: GivenUnit[];
}

const deepest = 50;

/** Strict, and without a DTD: no entity but the five of XML, nothing from elsewhere. */
export function readXliff(text: string): ReadXliff {
  const parser = new SaxesParser({ xmlns: true });
  const read: ReadXliff = { emailId: '', sourceLanguage: '', language: undefined, units: [] };
  const ids = new Set<string>();
  const path: string[] = [];
  let unit: { id: string; source: string; target: string; isWhole: boolean } | undefined;
  let segment: { source: string; target: string | undefined; isIgnorable: boolean } | undefined;
  let side: 'source' | 'target' | undefined;
  const put = (more: string) => {
    if (segment && side) segment[side] = (segment[side] ?? '') + more;
  };
  const fail = (words: string): never => {
    throw new XliffFault(`${words} (line ${parser.line})`);
  };
  parser.on('doctype', () => fail('a document type is not allowed'));
  parser.on('error', (error) => {
    throw new XliffFault(error.message);
  });
  parser.on('text', (chars) => put(side ? chars.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : ''));
  parser.on('cdata', (chars) => put(side ? chars.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : ''));
  parser.on('opentag', (tag) => {
    const attribute = (name: string) => (tag as SaxesTagNS).attributes[name]?.value;
    const { local, uri } = tag as SaxesTagNS;
    path.push(local);
    if (path.length > deepest) fail('it is nested too deeply');
    if (path.length === 1) {
      if (local !== 'xliff' || uri !== namespace || !attribute('version')?.startsWith('2.'))
        fail('it is not a document of XLIFF 2');
      read.sourceLanguage = attribute('srcLang') ?? '';
      read.language = attribute('trgLang');
    }
    if (uri !== namespace) return;
    if (side) return put(inlineOf(local, attribute, fail));
    if (local === 'file') {
      if (read.emailId !== '') fail('it has more than one file');
      read.emailId = attribute('id') ?? '';
    } else if (local === 'unit') {
      const id = attribute('id') ?? '';
      if (ids.has(id)) fail(`the unit ${id.slice(0, 100)} is there twice`);
      ids.add(id);
      unit = { id, source: '', target: '', isWhole: true };
    } else if (local === 'segment' || local === 'ignorable')
      segment = { source: '', target: undefined, isIgnorable: local === 'ignorable' };
    else if ((local === 'source' || local === 'target') && segment) side = local;
  });
  parser.on('closetag', (tag) => {
    const { local, uri } = tag as SaxesTagNS;
    path.pop();
    if (uri !== namespace) return;
    if (local === side) side = undefined;
    else if (side && local === 'pc') put(`</${codeOf((tag as SaxesTagNS).attributes.id?.value, fail)}>`);
    else if (unit && segment && (local === 'segment' || local === 'ignorable')) {
      unit.source += segment.source;
      unit.target += segment.target ?? (segment.isIgnorable ? segment.source : '');
      if (segment.target === undefined && !segment.isIgnorable) unit.isWhole = false;
      segment = undefined;
    } else if (unit && local === 'unit') {
      // What is translated in part is not translated.
      read.units.push({ id: unit.id, source: unit.source, target: unit.isWhole ? unit.target : '' });
      unit = undefined;
    }
  });
  parser.write(text).close();
  return read;
}

type Fail = (words: string) => never;

function codeOf(id: string | undefined, fail: Fail): string {
  return /^\d{1,4}$/.test(id ?? '')
    ? (id as string)
    : fail(`an inline code has the id ${(id ?? '').slice(0, 40)}, which no text of ours has`);
}

/** As codes.ts writes it. Tools may turn a pair into two single codes, and may mark up words. */
function inlineOf(local: string, attribute: (name: string) => string | undefined, fail: Fail): string {
  switch (local) {
    case 'pc':
      return `<${codeOf(attribute('id'), fail)}>`;
    case 'sc':
      return `<${codeOf(attribute('id'), fail)}>`;
    case 'ec':
      return `</${codeOf(attribute('startRef') ?? attribute('id'), fail)}>`;
    case 'ph':
      return `<${codeOf(attribute('id'), fail)}/>`;
    case 'cp': {
      const code = Number.parseInt(attribute('hex') ?? '', 16);
      return code > 0 && code <= 0xffff ? String.fromCharCode(code) : fail('it has a character that is none');
    }
    case 'mrk':
    case 'sm':
    case 'em':
      return '';
    default:
      return fail(`<${local.slice(0, 40)}> cannot be in a text`);
  }
}
