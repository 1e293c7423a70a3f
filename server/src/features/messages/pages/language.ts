import { type Language, languages } from './texts.js';

/** Many times what browsers send. */
const mostLength = 1000;

interface Wish {
  /** `de` of `de-AT`; `*` for any. */
  language: string;
  weight: number;
}

/** The supported language that `Accept-Language` prefers most (RFC 9110, 12.5.4); English by default. */
export function chooseLanguage(header: string | undefined): Language {
  const wishes = (header ?? '').slice(0, mostLength).split(',').flatMap(readWish);
  const named = new Set(wishes.map(({ language }) => language));
  // The sort is stable, so equal weights keep their order.
  for (const { language } of wishes.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)) {
    const found = languages.find((one) => (language === '*' ? !named.has(one) : one === language));
    if (found) return found;
  }
  return 'en';
}

const wishShape = /^\s*([a-z]{1,8}|\*)(?:-[a-z\d-]*)?\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** A malformed entry is ignored. */
function readWish(text: string): Wish[] {
  const match = wishShape.exec(text);
  return match ? [{ language: (match[1] as string).toLowerCase(), weight: Number(match[2] ?? 1) }] : [];
}
