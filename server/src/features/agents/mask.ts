// Masks people for an app that must not see them. Every answer passes through here, whichever tool made it.
import { isObject } from '@rapport/contract';

type Json = Record<string, unknown>;

/** What belongs to a person and is left out as a whole. */
const leftOut = new Set([
  ...[
    'properties',
    'eventProperties',
    'value',
    'examples',
    'phoneNumber',
    'companyName',
    'linkUrl',
    'emailSubject',
    'fact',
  ],
]);
/** Lines of a timeline that quote a person: a value that an event had, a date of theirs. */
const quotingFacts: readonly unknown[] = ['propertySet', 'timePassed'];
/** Of a sender, not of a contact; and templates, which are the workspace's own words. */
const untouched = new Set(['fromEmail', 'replyTo', 'html', 'design']);
/** What the workspace wrote: it is whole, so that it can be changed and saved, but addresses in it are masked. */
const ownWords = new Set(['definition', 'filter']);
const names = new Set(['firstName', 'lastName']);
/** Words of the API, whatever a person's properties say. */
const codes = new Set(['kind', 'type', 'state', 'status', 'what', 'code', 'source', 'endedAs']);
// From the start of a word alone: from each of its letters would take the square of its length.
const address = /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

/** `ada@example.com` becomes `a…@example.com`. */
export function maskAddress(text: string): string {
  const at = text.lastIndexOf('@');
  return at < 1 ? '…' : `${[...text][0]}…${text.slice(at)}`;
}

function maskName(text: string): string {
  const [first] = text.trim();
  return first === undefined ? '' : `${first.toUpperCase()}.`;
}

/** `secrets`: words of people that the answer does not hold in fields of their own. */
export function masked(data: Json, secrets: readonly string[] = []): Json {
  const words = new Set(secrets);
  collect(data, words);
  const scrub = scrubber(words);
  return maskValue(data, '', scrub) as Json;
}

type Scrub = (text: string) => string;

function maskValue(value: unknown, key: string, scrub: Scrub, isOwn = false): unknown {
  if (typeof value === 'string') return maskText(value, key, scrub);
  if (Array.isArray(value)) return value.map((each) => maskValue(each, key, scrub, isOwn));
  if (!isObject(value)) return value;
  const isPerson = isPersonal(value);
  const isQuote = isObject(value.fact) && quotingFacts.includes(value.fact.code);
  const kept = Object.entries(value).filter(
    ([name, each]) => isOwn || !(isLeftOut(name, each) || (isQuote && name === 'detail')),
  );
  return Object.fromEntries(
    kept.map(([name, each]) => {
      if (untouched.has(name)) return [name, each];
      if (isPerson && name === 'name' && typeof each === 'string')
        return [name, each.includes('@') ? maskAddress(each) : each.split(/\s+/).map(maskName).join(' ')];
      return [name, maskValue(each, name, scrub, isOwn || ownWords.has(name))];
    }),
  );
}

/** A list of properties names them; it does not say what anyone has in them. */
function isLeftOut(name: string, value: unknown): boolean {
  return leftOut.has(name) && !(name === 'properties' && Array.isArray(value));
}

function maskText(text: string, key: string, scrub: Scrub): string {
  if (names.has(key)) return maskName(text);
  if (key === 'email') return maskAddress(text);
  if (codes.has(key)) return text;
  return scrub(text).replace(address, maskAddress);
}

const isPersonal = (value: Json) => typeof value.contactId === 'string' && typeof value.email === 'string';

/** The words of the people in an answer: they may stand in its sentences, too. */
function collect(value: unknown, words: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) collect(each, words);
  if (!isObject(value)) return;
  for (const [name, each] of Object.entries(value)) {
    if (name === 'properties' && isPersonal(value)) addValues(each, words);
    else if (names.has(name) || (isPersonal(value) && (name === 'name' || name === 'email'))) addValues(each, words);
    else collect(each, words);
  }
}

/** The texts and numbers in the properties of a person. */
export function wordsIn(properties: unknown): string[] {
  const words = new Set<string>();
  addValues(properties, words);
  return [...words];
}

function addValues(value: unknown, words: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') words.add(String(value).trim());
  else if (Array.isArray(value)) for (const each of value) addValues(each, words);
  else if (isObject(value)) for (const each of Object.values(value)) addValues(each, words);
}

// A single letter or digit gives nothing away, and occurs everywhere.
const leastLength = 2;

function scrubber(words: ReadonlySet<string>): Scrub {
  const longestFirst = [...words].filter((word) => word.length >= leastLength).sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => text;
  const any = longestFirst.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'giu');
  return (text) => text.replace(pattern, (word) => (word.includes('@') ? maskAddress(word) : '…'));
}
