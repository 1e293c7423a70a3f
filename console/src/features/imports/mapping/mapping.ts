// From the columns of a file to what is stored: guesses that are usually right, and what is wrong with a choice.
import { isPropertyKey } from '@rapport/contract';
import { detectDates, otherOrder } from '../dates/date-format.ts';
import type { ColumnChoice, ForAll, Known, MappedColumn, Target } from './mapping-target.ts';
import { reasonOfCell, topicWordOf } from './words.ts';

/** `First Name` and `firstName` become `first_name`. */
export function keyOf(name: string): string {
  const key = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
  return key === '' || isPropertyKey(key) ? key : `_${key}`.slice(0, 64);
}

/** Common names for the properties that Rapport itself uses. */
const synonyms: Record<string, readonly string[]> = {
  first_name: ['firstname', 'first', 'given_name', 'givenname', 'forename', 'vorname', 'prenom', 'nombre'],
  last_name: ['lastname', 'last', 'surname', 'family_name', 'familyname', 'nachname', 'nom', 'apellido'],
  company: ['company_name', 'organisation', 'organization', 'account', 'firma'],
  country: ['country_name', 'land', 'pays'],
  phone: ['phone_number', 'telephone', 'mobile', 'telefon'],
};

const emailNames = [
  'email',
  'e_mail',
  'mail',
  'email_address',
  'e_mail_address',
  'emailaddress',
  'contact_email',
  'work_email',
];
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function guessMapping(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  known: Known,
): MappedColumn[] {
  const cells = header.map((_, at) => rows.map((row) => row[at]?.trim() ?? '').filter((cell) => cell !== ''));
  const email = emailColumn(header, cells);
  const used = new Set<string>();
  const guessed = header.map((name, at): MappedColumn => {
    const samples = [...new Set(cells[at])].slice(0, 3);
    if (at === email) return { name, target: { kind: 'email' }, samples };
    const topic = guessTopic(name, known);
    if (topic !== undefined && !used.has(`topic:${topic}`)) {
      used.add(`topic:${topic}`);
      return { name, target: { kind: 'topic', key: topic }, samples };
    }
    if (isStatus(name, cells[at] ?? []))
      return { name, target: { kind: 'status', reading: 'unsubscribed', topicKey: '' }, samples };
    const key = freeKey(guessKey(name, known), used);
    if (key === undefined) return { name, target: { kind: 'skip' }, samples };
    return { name, target: { kind: 'property', key, ...guessType(key, cells[at] ?? [], known) }, samples };
  });
  return inOneOrder(guessed);
}

/** A file writes its dates in one order: a column that could be read both ways is read like one that could not. */
export function inOneOrder(columns: readonly MappedColumn[]): MappedColumn[] {
  const dates = columns.flatMap(({ target }) =>
    target.kind === 'property' && target.format && otherOrder[target.format] ? [target] : [],
  );
  const sure = new Set(dates.flatMap(({ format, isSure }) => (isSure ? [format] : [])));
  const [format] = sure;
  return columns.map((column) => {
    const { target } = column;
    if (sure.size !== 1 || !format || target.kind !== 'property' || target.isSure !== false) return column;
    return { ...column, target: { ...target, format, isSure: true } };
  });
}

const statusNames = ['unsubscribed', 'unsubscribed_from_all_email', 'email_opt_out', 'opted_out', 'suppressed'];

/** A column that says who must get no mail; Rapport has it as a suppression, not as a property. */
function isStatus(name: string, cells: readonly string[]): boolean {
  return statusNames.includes(keyOf(name)) && cells.every((cell) => reasonOfCell(cell, 'words') !== undefined);
}

/** As the service names such a column: `topic:product_news`. */
function guessTopic(name: string, { topics }: Known): string | undefined {
  const key = /^\s*topic:\s*([a-z0-9_]{1,40})\s*$/i.exec(name)?.[1]?.toLowerCase();
  return key !== undefined && topics.has(key) ? key : undefined;
}

/** The earlier choice, for a file with the same columns; otherwise unchanged. */
export function withChoices(columns: readonly MappedColumn[], chosen: readonly ColumnChoice[]): MappedColumn[] {
  const isSame = columns.length === chosen.length && columns.every(({ name }, at) => name === chosen[at]?.name);
  return columns.map((column, at) => ({ ...column, target: (isSame && chosen[at]?.target) || column.target }));
}

/** By its name, or else by its values. */
function emailColumn(header: readonly string[], cells: readonly (readonly string[])[]): number {
  const share = (at: number) =>
    (cells[at] ?? []).filter((cell) => address.test(cell)).length / (cells[at]?.length || 1);
  const named = header.findIndex(
    (name, at) => emailNames.includes(keyOf(name)) && (share(at) > 0.5 || cells[at]?.length === 0),
  );
  if (named >= 0) return named;
  const shares = header.map((_, at) => share(at));
  const best = Math.max(0, ...shares);
  return best > 0.8 ? shares.indexOf(best) : -1;
}

function guessKey(name: string, { types }: Known): string {
  const key = keyOf(name);
  if (types.has(key)) return key;
  return Object.entries(synonyms).find(([, names]) => names.includes(key))?.[0] ?? key;
}

/** Two columns cannot be one property, a column without a name cannot be one, and `_error` is from a file of failed rows. */
function freeKey(key: string, used: Set<string>): string | undefined {
  if (!isPropertyKey(key) || key === '_error' || key === 'error' || key === 'email' || used.has(key)) return undefined;
  used.add(key);
  return key;
}

// Not `007`, `+49…` or a number with too many digits: those are identifiers that look like numbers.
const number = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/** The type of the values, unless the tenant's own property says otherwise. */
export function guessType(
  key: string,
  cells: readonly string[],
  { types }: Known,
): Pick<Extract<Target, { kind: 'property' }>, 'type' | 'format' | 'isSure'> {
  const known = types.get(key);
  if (known === 'text' || known === 'list') return { type: 'text' };
  if (cells.length === 0)
    return known === 'number' || known === 'boolean' ? { type: known } : { type: known === 'time' ? 'date' : 'text' };
  const mayBeNumbers = known === 'time' || timeNames.test(key);
  const dates = detectDates(cells, { mayBeNumbers, isMonthFirst: isMonthFirst() });
  if (dates) return { type: 'date', ...dates };
  if (cells.every((cell) => number.test(cell))) return { type: 'number' };
  if (cells.every((cell) => /^(?:true|false)$/i.test(cell))) return { type: 'boolean' };
  return { type: 'text' };
}

const timeNames = /(?:^|_)(?:at|on|date|time|timestamp|created|updated)$/;

/** In the United States the month comes first. */
function isMonthFirst(): boolean {
  return globalThis.navigator?.language === 'en-US';
}

export type MappingFault = 'noEmail' | 'twoEmails' | 'badKey' | 'sameKey' | 'noTopic' | 'sameTopic' | 'badWord';

/** What is wrong with each column's choice; `noEmail` is about all of them. */
export function mappingFaults(
  columns: readonly MappedColumn[],
  { topicKey, isAgreed }: Pick<ForAll, 'topicKey' | 'isAgreed'> = { topicKey: '', isAgreed: false },
): {
  all: MappingFault | undefined;
  of: (MappingFault | undefined)[];
} {
  const emails = columns.filter(({ target }) => target.kind === 'email').length;
  const keys = columns.flatMap(({ target }) => (target.kind === 'property' ? [target.key] : []));
  const topics = columns
    .flatMap(({ target }) =>
      target.kind === 'topic' ? [target.key] : target.kind === 'status' ? [target.topicKey] : [],
    )
    .concat(isAgreed ? [topicKey] : [])
    .filter((key) => key !== '');
  const isTwice = (key: string) => topics.filter((other) => other === key).length > 1;
  const of = columns.map(({ target, samples }): MappingFault | undefined => {
    if (target.kind === 'email') return emails > 1 ? 'twoEmails' : undefined;
    if (target.kind === 'skip' || target.kind === 'list') return undefined;
    if (target.kind === 'status') return isTwice(target.topicKey) ? 'sameTopic' : undefined;
    if (target.kind === 'topic') {
      if (target.key === '') return 'noTopic';
      if (isTwice(target.key)) return 'sameTopic';
      return samples.every((cell) => topicWordOf(cell) !== undefined) ? undefined : 'badWord';
    }
    if (!isPropertyKey(target.key) || target.key === 'email') return 'badKey';
    return keys.filter((key) => key === target.key).length > 1 ? 'sameKey' : undefined;
  });
  return { all: emails === 0 ? 'noEmail' : undefined, of };
}

/** The keys in the file, new ones first. */
export function keysIn(columns: readonly MappedColumn[], { types }: Known): string[] {
  const all = columns.flatMap(({ target }) => (target.kind === 'property' ? [target.key] : []));
  return [...all.filter((key) => !types.has(key)), ...all.filter((key) => types.has(key))];
}
