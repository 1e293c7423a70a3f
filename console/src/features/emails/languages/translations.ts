// The translations of an email while they are edited. Null: the email's own. Pure.
import type { Design } from '@rapport/contract';
import { outlineOf } from '../design/model/outline.ts';
import { valueAt } from '../design/model/places.ts';
import { isSameJson } from '../design/model/same.ts';
import type { Email } from '../email-api.ts';

interface TranslationDraft {
  readonly subject: string | null;
  readonly preheader: string | null;
  /** Null too where there is a design, from which it is made. */
  readonly html: string | null;
  readonly design: Design | null;
}
export type TranslationDrafts = Readonly<Record<string, TranslationDraft>>;

interface OwnTexts {
  readonly preheader: string;
  readonly html: string;
  readonly design: Design | null;
}

export function translationDraftsOf({ languages = {} }: Pick<Email, 'languages'>): TranslationDrafts {
  return Object.fromEntries(
    Object.entries(languages).map(([tag, { subject, preheader, html, design = null }]) => [
      tag,
      { subject, preheader, html: design ? null : html, design },
    ]),
  );
}

/** A new translation begins with the content of the email: a translator writes over it. */
export function newTranslation(tag: string, { html, design }: OwnTexts): TranslationDraft {
  const none = { subject: null, preheader: null };
  if (!design) return { ...none, html, design: null };
  const { theme } = design;
  return { ...none, html: null, design: theme?.lang ? { ...design, theme: { ...theme, lang: tag } } : design };
}

type Change = Partial<TranslationDraft> | null;

/** What makes `now` of `base`, in the words of the API; undefined if nothing does. */
export function translationsPatch(now: TranslationDrafts, base: TranslationDrafts): Record<string, Change> | undefined {
  const patch: Record<string, Change> = {};
  for (const tag of Object.keys(base)) if (!now[tag]) patch[tag] = null;
  for (const [tag, translation] of Object.entries(now)) {
    const before = base[tag];
    const change: Partial<Record<keyof TranslationDraft, unknown>> = {};
    for (const field of ['subject', 'preheader'] as const)
      if (translation[field] !== (before?.[field] ?? null)) change[field] = translation[field];
    const { design, html } = translation;
    if (!isSameJson(design, before?.design ?? null) || html !== (before?.html ?? null)) {
      if (design) change.design = design;
      else change.html = html || null;
    }
    if (!before || Object.keys(change).length > 0) patch[tag] = change as Change;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** What is not translated: fields, and places in the design, as the service found them, that still have the email's text. */
export function stillMissing(own: OwnTexts, translation: TranslationDraft, found: readonly string[]): string[] {
  const { subject, preheader, html, design } = translation;
  const isSameText = (place: string) => {
    const path = place.replace(/^design\./, '');
    return own.design && design && isSameJson(valueAt(own.design, path), valueAt(design, path));
  };
  return [
    ...(subject === null ? ['subject'] : []),
    ...(preheader === null && own.preheader !== '' ? ['preheader'] : []),
    ...(!design && !html ? [own.design ? 'design' : 'html'] : []),
    ...found.filter((place) => place.startsWith('design.') && isSameText(place)),
  ];
}

/** To compare two people's translations. */
export function translationsOutline(translations: TranslationDrafts): string {
  return Object.entries(translations)
    .map(([tag, { subject, preheader, html, design }]) =>
      [`[${tag}]`, subject, preheader, design ? outlineOf(design) : html].filter(Boolean).join('\n'),
    )
    .join('\n\n');
}
