// Languages of emails: how a tag is written, and which of them a contact gets. Data and pure functions: server and console use them.

export const languageLimits = {
  /** Of an email, beside its own. */
  languages: 50,
  /** Of all translations of an email: their subjects, preheaders, html and designs, in UTF-8. */
  bytes: 8 * 1024 * 1024,
} as const;

/** The properties that name a contact's language. The second counts where the first names none. */
export const languageProperties = ['language', 'locale'] as const;

// Language, script, region and variants of BCP 47. Extensions say nothing about a translation.
const shape = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?(-([a-z\d]{5,8}|\d[a-z\d]{3}))*$/;
const longest = 35;

/** A tag as it is stored: `DE-at` is `de-AT`. Undefined: it is no tag. */
export function readLanguageTag(text: string): string | undefined {
  if (text.length > longest) return undefined;
  try {
    const [tag = ''] = Intl.getCanonicalLocales(text);
    return shape.test(tag) ? tag : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The first of these languages that a contact reads: `de-AT`, else `de`. Undefined: the email's own. Locales of operating systems, such as
 * `de_AT.UTF-8`, are read too.
 */
export function languageFor(
  languages: readonly string[],
  properties: Readonly<Record<string, unknown>>,
): string | undefined {
  if (languages.length === 0) return undefined;
  for (const name of languageProperties) {
    const wanted = wantedIn(Object.hasOwn(properties, name) ? properties[name] : undefined);
    // A contact that reads English gets the email's own, which may be English, and not what the locale says.
    if (wanted !== undefined) return lookUpLanguage(languages, wanted);
  }
  return undefined;
}

/** RFC 4647, section 3.4: the tag itself, else with its last part left out, and so on. */
export function lookUpLanguage(languages: readonly string[], wanted: string): string | undefined {
  for (let tag = wanted; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-'))))
    if (languages.includes(tag)) return tag;
  return undefined;
}

/** The first tag in a property, which may be a list. */
function wantedIn(value: unknown): string | undefined {
  for (const part of [value].flat()) {
    const tag = typeof part === 'string' ? tagIn(part.trim()) : undefined;
    if (tag !== undefined) return tag;
  }
  return undefined;
}

// With all that may follow a tag. What is longer is a text, and contacts write it: the expressions below would take long.
const longestLocale = 100;

function tagIn(text: string): string | undefined {
  if (text.length > longestLocale) return undefined;
  const plain = text.replace(/[.@].*$/s, '').replaceAll('_', '-');
  // Extensions, such as `-u-nu-latn`, say how numbers and dates are written.
  const tag = plain.replace(/-[a-z\d]-.*$/is, '');
  return tag === '' ? undefined : readLanguageTag(tag);
}
