// Texts of an email out to translators, and back.
import type { BodyValue, DataValue, getEmailTexts, putEmailTexts } from '@rapport/contract';
import { ApiError, invalid, notFound } from '../../../http/api-error.js';
import { isAssetId } from '../../../lib/ids.js';
import { faulty } from '../../filter-language/index.js';
import { missingIn } from '../languages/missing.js';
import { readLanguage } from '../languages/translation.js';
import { type AuthoredEmail, findEmail } from '../queries.js';
import { type Authoring, updateEmail } from '../update-email.js';
import { piecesOf } from './codes.js';
import { applyUnits, type GivenUnit, type Unit, unitsOf, unknownText } from './units.js';
import { readXliff, writeXliff, XliffFault, xliffId } from './xliff.js';

type Texts = DataValue<typeof getEmailTexts>;
type Given = BodyValue<typeof putEmailTexts>;
type Stored = DataValue<typeof putEmailTexts>;

export function exportTexts(email: AuthoredEmail, tag: string, format: 'json' | 'xliff'): Texts {
  const language = readLanguage(tag) as string;
  const units = unitsOf(email, email.translations[language]);
  const about = { emailId: email.id, language, sourceLanguage: sourceLanguageOf(email) };
  if (format === 'xliff') return { ...about, xliff: writeXliff(about, units) };
  return { ...about, texts: units.map(({ id, source, target }) => ({ id, source, target })) };
}

// No `<` between: what has many `<html` would be read from each of them to the end.
const htmlLanguage = /<html[^<>]*\slang=["']?([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)/i;

function sourceLanguageOf({ design, html }: AuthoredEmail): string {
  return design?.theme?.lang ?? (design ? undefined : htmlLanguage.exec(html)?.[1]) ?? 'en';
}

interface Import {
  id: string;
  body: Given;
  ifMatch: readonly string[] | undefined;
}
type Outcome = { data: Stored; etag: string };

/** Computed from the current email, and again if another save was faster, unless the caller named a revision. */
export async function importTexts(
  authoring: Authoring,
  by: { tenantId: number; accountId: number },
  { id, body, ifMatch }: Import,
): Promise<Outcome> {
  for (;;) {
    const email = isAssetId(id) ? await findEmail(authoring.db, by.tenantId, id) : undefined;
    if (!email) throw notFound('email');
    const { language, given } = readGiven(email, body);
    const { change, applied, skipped, faults } = applyUnits(email, email.translations[language], language, given);
    if (faults.length > 0) throw faulty(faults.slice(0, 100).map((fault) => ({ path: fault.id, words: fault.words })));
    const edit = { id, change: { languages: { [language]: change } }, restoredFrom: null };
    try {
      const condition = ifMatch ?? [String(email.revision)];
      // Nothing to store must not make a language.
      const saved =
        applied === 0
          ? email
          : await updateEmail(authoring, by, { ...edit, ifMatch: condition }, (effect) =>
              authoring.db.transaction(effect),
            );
      const translation = saved.translations[language];
      const missing = translation ? missingIn(saved, translation) : unitsOf(saved, undefined).map((unit) => unit.id);
      return { data: { emailId: id, language, applied, skipped, missing }, etag: String(saved.revision) };
    } catch (error) {
      if (ifMatch || !(error instanceof ApiError) || error.code !== 'EDIT_CONFLICT') throw error;
    }
  }
}

function readGiven(email: AuthoredEmail, body: Given): { language: string; given: GivenUnit[] } {
  const named = readLanguage(body.language);
  if (body.xliff !== undefined) {
    if (body.texts !== undefined) throw invalid('texts', 'must not be given with xliff');
    const document = readDocument(body.xliff);
    const language = readLanguage(document.language ?? body.language);
    if (language === undefined) throw invalid('xliff', 'must name its language in trgLang');
    if (named !== undefined && named !== language) throw invalid('language', `must be ${language}, as in the document`);
    if (document.emailId !== email.id) throw invalid('xliff', 'is of another email');
    return { language, given: givenOf(document.units, unitsOf(email, undefined)) };
  }
  if (body.texts === undefined) throw invalid('texts', 'or xliff is required');
  if (named === undefined) throw invalid('language', 'is required');
  const ids = new Set<string>();
  for (const { id } of body.texts) {
    if (ids.has(id)) throw faulty([{ path: id, words: 'is there twice' }]);
    ids.add(id);
  }
  return { language: named, given: body.texts.map(({ id, source, target }) => ({ id, source, target: target ?? '' })) };
}

function readDocument(text: string) {
  try {
    return readXliff(text);
  } catch (error) {
    if (error instanceof XliffFault) throw invalid('xliff', `cannot be read: ${error.message}`);
    throw error;
  }
}

/** The units of a document by their places. */
function givenOf(read: readonly GivenUnit[], units: readonly Unit[]): GivenUnit[] {
  const byId = new Map(units.map((unit) => [xliffId(unit.id), unit]));
  const faults: { path: string; words: string }[] = [];
  const given = read.flatMap(({ id, source = '', target }): GivenUnit[] => {
    const unit = byId.get(id);
    const fault = (words: string) => {
      faults.push({ path: id.slice(0, 100), words });
      return [];
    };
    if (!unit) return fault(unknownText);
    if (!unit.isPlain) return [{ id: unit.id, source, target }];
    const [from, to] = [plainOf(source), plainOf(target)];
    return from === undefined || to === undefined
      ? fault('has inline codes, and the text of the email has none')
      : [{ id: unit.id, source: from, target: to }];
  });
  if (faults.length > 0) throw faulty(faults.slice(0, 100));
  return given;
}

/** Undefined: it has codes. */
function plainOf(written: string): string | undefined {
  const pieces = piecesOf(written);
  return pieces.every((piece) => piece.kind === 'text') ? pieces.map((piece) => piece.text).join('') : undefined;
}
