// The texts of an email with their places and translations, and a translation made from what came back.
import type { Design, TranslationText } from '@rapport/contract';
import { type DesignText, mapTexts, textsOfDesign } from '../../designs/index.js';
import type { Translation } from '../languages/translation.js';
import { readText, writeText } from './codes.js';

interface OwnTexts {
  subject: string;
  preheader: string | null;
  html: string;
  design: Design | null;
}

/** One text of an email. */
export interface Unit {
  /** Its place: `subject`, `design.blocks[3].label`. */
  id: string;
  source: string;
  /** Null: it is not translated. */
  target: string | null;
  /** It is taken as it is: nothing in it is a code. */
  isPlain: boolean;
}

const letters = /\p{L}/u;

function textsOf({ subject, preheader, html, design }: OwnTexts): Map<string, DesignText> {
  const body: Iterable<[string, DesignText]> = design ? textsOfDesign(design) : [['html', html]];
  const all: [string, DesignText][] = [
    ['subject', subject],
    ...(preheader === null ? [] : [['preheader', preheader] as [string, string]]),
    ...body,
  ];
  return new Map(all.filter(([, text]) => letters.test(wordsOf(text))));
}

function wordsOf(text: DesignText): string {
  return typeof text === 'string' ? text : text.map((span) => ('text' in span ? span.text : '')).join('');
}

/** The texts that a translation has of its own. */
function textsIn(own: OwnTexts, { subject, preheader, html, design }: Translation): Map<string, DesignText> {
  return new Map<string, DesignText>([
    ...(subject === null ? [] : [['subject', subject] as const]),
    ...(preheader === null ? [] : [['preheader', preheader] as const]),
    ...(own.design || html === null || design ? [] : [['html', html] as const]),
    ...(own.design && design ? textsOfDesign(design) : []),
  ]);
}

export function unitsOf(own: OwnTexts, translation: Translation | undefined): Unit[] {
  const translated = translation ? textsIn(own, translation) : new Map<string, DesignText>();
  return [...textsOf(own)].map(([id, text]) => {
    const source = writeText(text) as string;
    const other = translated.get(id);
    const target = other === undefined ? undefined : writeText(other, text);
    const isPlain = typeof text === 'string';
    return { id, source, target: target === undefined || target === source ? null : target, isPlain };
  });
}

/** Places in the design of a translation whose text is that of the email. */
export function untranslatedIn(own: Design, other: Design): string[] {
  const translated = textsOfDesign(other);
  return [...textsOfDesign(own)].flatMap(([id, text]) => {
    const words = wordsOf(text);
    const found = translated.get(id);
    return letters.test(words) && found !== undefined && wordsOf(found) === words ? [id] : [];
  });
}

/** A text that came back. `source`: what it was translated from, if that is known. */
export interface GivenUnit {
  id: string;
  source?: string | undefined;
  target: string;
}

interface Made {
  change: TranslationText;
  /** How many texts were taken. */
  applied: number;
  /** Those whose source is another one now. */
  skipped: { id: string; reason: string }[];
  faults: { id: string; words: string }[];
}

export const unknownText = 'is no text of this email';

/** What a translation becomes. A design that has all places of the email's keeps its shape; another one becomes as that of the email. */
export function applyUnits(
  own: OwnTexts,
  translation: Translation | undefined,
  language: string,
  given: readonly GivenUnit[],
): Made {
  const sources = textsOf(own);
  const taken = new Map<string, DesignText>();
  const skipped: Made['skipped'] = [];
  const faults: Made['faults'] = [];
  for (const { id, source, target } of given) {
    const text = sources.get(id);
    if (text === undefined) faults.push({ id, words: unknownText });
    else if (source !== undefined && squeezed(source) !== squeezed(writeText(text) ?? ''))
      skipped.push({ id, reason: 'The text of the email has changed since.' });
    else if (target.trim() !== '') {
      const read = readText(target, text);
      if ('fault' in read) faults.push({ id, words: read.fault });
      else taken.set(id, read.text);
    }
  }
  const plainOf = (id: string) => taken.get(id) as string | undefined;
  const [subject, preheader, html] = [plainOf('subject'), plainOf('preheader'), plainOf('html')];
  const isDesignNew = [...taken.keys()].some((id) => id.startsWith('design.'));
  const change: TranslationText = {
    ...(subject === undefined ? {} : { subject }),
    ...(preheader === undefined ? {} : { preheader }),
    ...(html === undefined ? {} : { html }),
    ...(own.design && isDesignNew
      ? { design: designWith(own.design, translation?.design ?? null, language, taken) }
      : {}),
  };
  return { change, applied: taken.size, skipped, faults };
}

/** Tools may change white space. */
function squeezed(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

function designWith(
  own: Design,
  other: Design | null,
  language: string,
  taken: ReadonlyMap<string, DesignText>,
): Design {
  const stored = other ? textsOfDesign(other) : new Map<string, DesignText>();
  const isAlike = other !== null && [...textsOfDesign(own).keys()].every((id) => stored.has(id));
  if (isAlike) return mapTexts(other, (id, text) => taken.get(id) ?? text);
  const design = mapTexts(own, (id, text) => {
    const kept = stored.get(id);
    return taken.get(id) ?? (kept !== undefined && typeof kept === typeof text ? kept : text);
  });
  const { theme } = design;
  return theme?.lang === undefined ? design : { ...design, theme: { ...theme, lang: language } };
}
