// Names of languages, for people.

/** `German (de)`, or the tag alone where the browser knows no name. */
export function languageName(tag: string): string {
  const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(tag);
  return name === undefined ? tag : `${name} (${tag})`;
}

/** The languages of an email. */
export const t = {
  add: 'Add a language',
  addText:
    'It starts with the email’s content, ready to translate. Contacts get it based on their “language” or “locale” property.',
  alreadyThere: (name: string) => `This email already has ${name}.`,
  bar: 'Language',
  contentMissing: 'the content',
  field: 'Language',
  fieldHint: 'German, or a tag such as pt-BR',
  missing: (parts: readonly string[]) => `Not translated yet: ${parts.join(', ')}. Until then, the original is sent.`,
  missingCount: (count: number) => `${count} not translated`,
  missingText: 'not translated yet',
  missingTexts: (count: number) => (count === 1 ? '1 text' : `${count} texts`),
  noLanguage: 'Enter the name of a language, or a tag such as de or pt-BR.',
  own: 'Original',
  ownContent: 'Same content as the original.',
  ownText: 'Same as the original',
  remove: (name: string) => `Remove ${name}`,
  removeText: 'Contacts with this language will get the original again. The translation stays in the history.',
  removeTitle: (name: string) => `Remove ${name}?`,
  testIn: 'Language',
  tooMany: (most: number) => `An email can have at most ${most} languages.`,
  translateContent: 'Translate the content',
};
