// The languages that a body names, read as the body itself is read.
import {
  type DesignProblem,
  isObject,
  languageLimits,
  Nullable,
  readLanguageTag,
  TranslationInput,
  type TranslationText,
} from '@rapport/contract';
import { Type } from 'typebox';
import { invalid } from '../../../http/api-error.js';
import { bodyReader } from '../../../http/body.js';
import { compilerVersion } from '../../designs/index.js';
import { placeOf } from '../../filter-language/index.js';
import { refuseProblems } from '../check-email.js';
import {
  notATag,
  type Translation,
  type TranslationDraft,
  type TranslationDrafts,
  type Translations,
} from './translation.js';

/** By language; null removes it. */
type Changes = Readonly<Record<string, TranslationText | null>>;

/** Null: none, or all are removed. Throws a 400 that names every place. */
export function readLanguages(given: unknown, method: 'POST' | 'PATCH'): Changes | null {
  if (given === null || given === undefined) return null;
  if (!isObject(given)) throw invalid('languages', 'must be an object of languages');
  const tags = readTags(Object.keys(given));
  const entries = [...tags].map(([key, tag]) => [tag, given[key]] as const);
  const shape = Object.fromEntries(entries.map(([tag]) => [tag, Type.Optional(Nullable(TranslationInput))]));
  const read = bodyReader(Type.Object({ languages: Type.Object(shape) }), method);
  const { languages } = read({ languages: Object.fromEntries(entries) }) as { languages: Changes };
  for (const [tag, change] of Object.entries(languages))
    if (change && isGiven(change.design) && change.html) throw notBoth(`languages.${tag}.html`);
  return languages;
}

/** The tag of each key, as it is stored. */
function readTags(keys: readonly string[]): Map<string, string> {
  const { languages: most } = languageLimits;
  if (keys.length > most) throw invalid('languages', `must not have more than ${most} languages`);
  const tags = new Map<string, string>();
  const faults: DesignProblem[] = [];
  for (const key of keys) {
    const tag = readLanguageTag(key);
    const message = tag === undefined ? notATag : [...tags.values()].includes(tag) ? `is ${tag} once more` : undefined;
    if (message !== undefined) faults.push({ place: placeOf('languages', key), severity: 'error', message });
    else tags.set(key, tag as string);
  }
  refuseProblems(faults);
  return tags;
}

/** What an edit makes of the stored translations. A design that an older compiler made is compiled anew. */
export function draftTranslations(stored: Translations, changes: Changes | undefined | null): TranslationDrafts {
  const before = changes === null ? {} : stored;
  const drafts = new Map(Object.entries(before).map(([tag, own]) => [tag, unchanged(own)]));
  for (const [tag, change] of Object.entries(changes ?? {})) {
    if (change) drafts.set(tag, changed(stored[tag] ?? nothing, change));
    else drafts.delete(tag);
  }
  if (drafts.size > languageLimits.languages)
    throw invalid('languages', `must not have more than ${languageLimits.languages} languages`);
  return Object.fromEntries([...drafts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const noBody = { html: null, text: null, design: null, compiledBy: null };
const nothing: Translation = { subject: null, preheader: null, ...noBody };

function unchanged(own: Translation): TranslationDraft {
  const { subject, preheader, design, compiledBy } = own;
  const isOld = design !== null && compiledBy !== compilerVersion;
  return { subject, preheader, isNew: false, body: isOld ? { toCompile: design } : own };
}

/** As with an email: html ends a design, and so does null, which keeps the html. */
function changed(stored: Translation, change: TranslationText): TranslationDraft {
  const { subject = stored.subject, preheader = stored.preheader, html, design } = change;
  const draft = { subject, preheader, isNew: true };
  if (isGiven(design)) return { ...draft, body: { toCompile: design } };
  if (html !== undefined) return { ...draft, body: { ...noBody, html } };
  if (design === null) return { ...draft, body: { ...noBody, html: stored.html } };
  return { ...draft, body: unchanged(stored).body };
}

/** Whatever it is: what is no design is told by the compiler. */
export function isGiven(design: unknown): boolean {
  return design !== undefined && design !== null;
}

export function notBoth(field = 'html') {
  return invalid(field, 'must not be given with a design, from which it is made');
}
