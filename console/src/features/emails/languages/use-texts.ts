// The texts that are being edited: those of the email itself, or of one of its translations.
import type { Design } from '@rapport/contract';
import { useMemo } from 'react';
import { usePageParams } from '../../../shared/use-page-params.ts';
import type { DesignWork } from '../design/design-work.ts';
import type { Draft } from '../draft.ts';
import type { Email } from '../email-api.ts';
import type { EmailDraft } from '../use-email-draft.ts';

export interface Texts {
  readonly subject: string;
  readonly preheader: string;
  readonly html: string;
}

export interface TextsWork {
  /** Undefined: the email's own. */
  readonly language: string | undefined;
  /** What the fields show. */
  readonly fields: { readonly subject: string; readonly preheader: string };
  /** Null: not a design, or the email's own. */
  readonly design: Design | null;
  /** Null: there is a design, or it is the email's own. */
  readonly html: string | null;
  readonly change: (changes: Partial<Texts>) => void;
  readonly designWork: DesignWork;
}

// BCP 47 for a language that is not known: no translation has it, so the email's own is shown, whatever the contact reads.
export const ownLanguage = 'und';

/** The language in the address of the page, if the email has it. */
export function useLanguage({ draft }: Pick<EmailDraft, 'draft'>) {
  const { param, setParam } = usePageParams();
  const asked = param('language');
  return {
    language: asked !== undefined && Object.hasOwn(draft.languages, asked) ? asked : undefined,
    setLanguage: (language: string | undefined) => setParam('language', language),
  };
}

/** What somebody gets who reads this language, as it is stored. */
export function storedTexts(email: Email, language: string | undefined): Texts {
  const own = { subject: email.subject, preheader: email.preheader ?? '', html: email.html };
  const translation = language === undefined ? undefined : email.languages?.[language];
  if (!translation) return own;
  const { subject, preheader, html } = translation;
  return { subject: subject ?? own.subject, preheader: preheader ?? own.preheader, html: html ?? own.html };
}

/** The same with what is not saved. A design is not compiled: the HTML is that of the last save. */
export function draftTexts(draft: Draft, email: Email, language: string | undefined): Texts {
  const own = { subject: draft.subject, preheader: draft.preheader, html: draft.design ? email.html : draft.html };
  const translation = language === undefined ? undefined : draft.languages[language];
  if (!translation) return own;
  const { subject, preheader, html, design } = translation;
  return {
    subject: subject ?? own.subject,
    preheader: preheader ?? own.preheader,
    html: design ? storedTexts(email, language).html : html || own.html,
  };
}

/** The design that somebody gets who reads this language; null for HTML. */
export function designFor({ design, languages }: Draft, language: string | undefined): Design | null {
  const translation = language === undefined ? undefined : languages[language];
  if (!translation) return design;
  return translation.html ? null : (translation.design ?? design);
}

export function useTexts(work: EmailDraft, language: string | undefined): TextsWork {
  const { draft, edit, dispatch, history, errors } = work;
  const translation = language === undefined ? undefined : draft.languages[language];
  const calls = useMemo(() => {
    const about = `email:${language ?? ''}`;
    return {
      change: (changes: Partial<Texts>) =>
        edit((now) => {
          if (language === undefined) return { ...now, ...changes };
          const old = now.languages[language];
          if (!old) return now;
          return { ...now, languages: { ...now.languages, [language]: { ...old, ...orOwn(changes) } } };
        }, about),
      changeDesign: (make: (design: Design) => Design, field?: string) =>
        edit((now) => {
          if (language === undefined) return now.design ? { ...now, design: make(now.design) } : now;
          // What comes late, such as a picture, may be for a translation that was removed.
          const old = now.languages[language];
          if (!old?.design) return now;
          return { ...now, languages: { ...now.languages, [language]: { ...old, design: make(old.design) } } };
        }, field && `${about}:${field}`),
      undo: () => dispatch({ type: 'undo' }),
      redo: () => dispatch({ type: 'redo' }),
    };
  }, [edit, dispatch, language]);
  const { change, changeDesign, undo, redo } = calls;
  const designWork = {
    ...{ change: changeDesign, undo, redo },
    ...{ canUndo: history.past.length > 0, canRedo: history.future.length > 0 },
    fault: translation ? errors.languages : errors.design,
  };
  if (!translation) {
    const { subject, preheader, design, html } = draft;
    return { language, fields: { subject, preheader }, design, html: design ? null : html, change, designWork };
  }
  const { subject, preheader, design, html } = translation;
  const fields = { subject: subject ?? '', preheader: preheader ?? '' };
  return { language, fields, design, html, change, designWork };
}

/** A field that is emptied is the email's own again. */
const orOwn = (changes: Partial<Texts>) =>
  Object.fromEntries(Object.entries(changes).map(([field, text]) => [field, text === '' ? null : text]));
