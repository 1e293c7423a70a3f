// The texts of an email in other languages, and which of them are sent.
import { type Design, languageFor, lookUpLanguage, readLanguageTag } from '@rapport/contract';
import { invalid } from '../../../http/api-error.js';
import { asksToConfirm } from '../check-templates.js';

/** Null: the email's own. An empty preheader is none. */
export interface Translation {
  subject: string | null;
  preheader: string | null;
  html: string | null;
  /** The template of the text part; null: that is made from the html. */
  text: string | null;
  design: Design | null;
  compiledBy: number | null;
}
/** A translation as its author gives it. */
export interface TranslationDraft extends Pick<Translation, 'subject' | 'preheader'> {
  /** Whether anything of it is new. What is not was checked when it was saved. */
  isNew: boolean;
  /** The texts as they are, or a design that is to be compiled. */
  body: Pick<Translation, 'html' | 'text' | 'design' | 'compiledBy'> | { toCompile: unknown };
}
export type TranslationDrafts = Readonly<Record<string, TranslationDraft>>;

/** By language, in the order of the tags. */
export type Translations = Readonly<Record<string, Translation>>;

interface OwnTexts {
  subject: string;
  preheader: string | null;
  html: string;
  text: string | null;
}
type SentTexts = Pick<Translation, 'subject' | 'preheader' | 'html' | 'text'>;

/** The email with its texts in another language. */
export function localize<E extends OwnTexts>(email: E, translation: SentTexts): E {
  const { subject, preheader, html, text } = translation;
  // A question without the link that answers it is of no use.
  const lacksLink = html !== null && asksToConfirm(email) && !asksToConfirm({ html });
  return {
    ...email,
    subject: subject ?? email.subject,
    preheader: preheader === null ? email.preheader : preheader || null,
    ...(html === null || lacksLink ? {} : { html, text }),
  };
}

/** An email, and the language that its texts are in; null: its own. */
export interface Localized<E> {
  email: E;
  language: string | null;
}

/** What a contact with these properties gets, or a reader of this language. */
export function localizeFor<E extends OwnTexts & { translations: Translations }>(
  email: E,
  {
    language,
    properties = {},
  }: { language?: string | undefined; properties?: Readonly<Record<string, unknown>> | undefined },
): Localized<E> {
  const languages = Object.keys(email.translations);
  const found = language === undefined ? languageFor(languages, properties) : lookUpLanguage(languages, language);
  const translation = found === undefined ? undefined : email.translations[found];
  if (found === undefined || !translation) return { email, language: null };
  return { email: localize(email, translation), language: found };
}

/** The language that a request names. */
export function readLanguage(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const tag = readLanguageTag(text);
  if (tag === undefined) throw invalid('language', notATag);
  return tag;
}
export const notATag = 'must be a language tag, such as de or pt-BR';

/** In the order of their tags, as they are stored. */
export function inOrder(translations: Translations): Record<string, Translation> {
  return Object.fromEntries(Object.entries(translations).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A design says in which language it is, unless its author says otherwise. */
export function inLanguage(design: unknown, language: string | undefined): unknown {
  if (language === undefined || typeof design !== 'object' || design === null) return design;
  const { theme = {} } = design as { theme?: unknown };
  if (typeof theme !== 'object' || theme === null || Object.hasOwn(theme, 'lang')) return design;
  return { ...design, theme: { ...theme, lang: language } };
}
