// The editable part of an email: flat text, empty for unset fields, its design, and its translations.
import type { Design } from '@rapport/contract';
import { isSameJson } from './design/model/same.ts';
import type { Email, EmailPatch } from './email-api.ts';
import { type TranslationDrafts, translationDraftsOf, translationsPatch } from './languages/translations.ts';

export interface Draft {
  name: string;
  subject: string;
  preheader: string;
  fromEmail: string;
  fromName: string;
  replyTo: string;
  folderId: string;
  topicId: string;
  /** Written by hand, or as the service compiled it from the design. */
  html: string;
  design: Design | null;
  /** By language tag. */
  languages: TranslationDrafts;
}
export type DraftField = keyof Draft;
/** All that are plain text. */
export type TextField = Exclude<DraftField, 'design' | 'languages'>;

export function draftOf(email: Email): Draft {
  const { fromEmail } = email;
  return {
    name: email.name,
    subject: email.subject,
    preheader: email.preheader ?? '',
    fromEmail: fromEmail.email,
    fromName: fromEmail.name ?? '',
    // The sender by default: shown as unset, so that it follows the sender.
    replyTo: email.replyTo === fromEmail.email ? '' : email.replyTo,
    folderId: email.directoryId ?? '',
    topicId: email.topicId ?? '',
    html: email.html,
    design: email.design ?? null,
    languages: translationDraftsOf(email),
  };
}

export function changedFields(draft: Draft, base: Draft): DraftField[] {
  return (Object.keys(draft) as DraftField[]).filter((field) => {
    // What is compiled follows from the design.
    if (field === 'html' && draft.design && base.design) return false;
    const isPlain = field !== 'design' && field !== 'languages';
    return isPlain ? draft[field] !== base[field] : !isSameJson(draft[field], base[field]);
  });
}

/** Only the differences: this is kept in the browser, so that others' saves are not undone. */
export function changesOf(draft: Draft, base: Draft): Partial<Draft> {
  return Object.fromEntries(changedFields(draft, base).map((field) => [field, draft[field]]));
}

/** The PATCH that turns `base` into `draft`. */
export function patchOf(draft: Draft, base: Draft): EmailPatch {
  const changed = new Set(changedFields(draft, base));
  const body: EmailPatch = {};
  for (const field of ['name', 'subject'] as const) if (changed.has(field)) body[field] = draft[field];
  if (changed.has('design')) body.design = draft.design;
  if (changed.has('html') && !draft.design) body.html = draft.html;
  if (changed.has('languages')) body.languages = translationsPatch(draft.languages, base.languages);
  for (const field of ['preheader', 'folderId', 'topicId'] as const)
    if (changed.has(field)) body[field] = draft[field] || null;
  if (changed.has('fromEmail') || changed.has('fromName'))
    body.fromEmail = { email: draft.fromEmail, name: draft.fromName || null };
  // An address stored as "the sender" must not stay behind when the sender changes.
  if (changed.has('replyTo') || (changed.has('fromEmail') && !draft.replyTo)) body.replyTo = draft.replyTo || null;
  return body;
}
