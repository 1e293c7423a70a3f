import type { BodyValue, DataValue, previewEmail as route } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { invalid } from '../../http/api-error.js';
import { type ContactRow, getContact, getContactByEmail } from '../contacts/index.js';
import {
  type AuthoredEmail,
  findProblems,
  type Links,
  type Localized,
  localizeFor,
  type Renderer,
  RenderFailure,
  readLanguage,
  type Texts,
} from '../emails/index.js';
import { type Rendered, renderChosen, renderFor } from './render-for.js';

type Preview = DataValue<typeof route>;

/** The contact that a body names by id or by email, if it names one. */
export async function findNamed(
  db: Database,
  tenantId: number,
  { contactId, email }: { contactId?: string; email?: string },
): Promise<ContactRow | null> {
  if (contactId !== undefined && email !== undefined) throw invalid('email', 'must not be given with contactId');
  if (contactId !== undefined) return getContact(db, tenantId, contactId);
  return email === undefined ? null : getContactByEmail(db, tenantId, email);
}

/** The email as somebody who reads this language gets it, or else the contact. */
export function localized(
  email: AuthoredEmail,
  language: string | undefined,
  contact: ContactRow | null,
): Localized<AuthoredEmail> {
  return localizeFor(email, { language: readLanguage(language), properties: contact?.properties });
}

export function renderStored(
  db: Database,
  renderer: Renderer,
  tenantId: number,
  email: AuthoredEmail,
  contact: ContactRow | null,
  now: Date,
  links: Links,
  withText = false,
): Promise<Rendered> {
  if (contact) return renderFor(db, renderer, tenantId, email, contact, now, links, withText);
  return renderChosen(renderer, tenantId, email, { contact, version: undefined, links, withText }, now);
}

/** As a contact would get it. What cannot be rendered is reported as a problem with its place, not as a failure. */
export async function previewEmail(
  db: Database,
  renderer: Renderer,
  tenantId: number,
  stored: AuthoredEmail,
  body: BodyValue<typeof route>,
  now: Date,
  links: Links,
): Promise<Preview> {
  const contact = await findNamed(db, tenantId, body);
  const { email, language } = localized(stored, body.language, contact);
  const inLanguage = language === null ? {} : { language };
  if (body.draft)
    return {
      ...(await previewDraft(db, renderer, tenantId, { ...email, ...body.draft }, contact, links)),
      ...inLanguage,
    };
  const at = body.at === undefined ? now : new Date(body.at);
  try {
    return { ...(await renderStored(db, renderer, tenantId, email, contact, at, links)), ...inLanguage };
  } catch (error) {
    if (!(error instanceof RenderFailure)) throw error;
    const { subject, preheader } = email;
    const failed = { html: '', chosen: 'default' as const, reason: error.message, problems: [problemOf(error)] };
    return { subject, preheader, ...failed, ...inLanguage };
  }
}

async function previewDraft(
  db: Database,
  renderer: Renderer,
  tenantId: number,
  texts: Texts,
  contact: ContactRow | null,
  links: Links,
): Promise<Preview> {
  const problems = await findProblems(db, renderer, tenantId, texts);
  const rendered = async (field: 'subject' | 'preheader' | 'html') => {
    // An invalid template shows nothing; its problem says why.
    if (problems.some((problem) => problem.field === field && problem.isFault)) return '';
    // Each part separately: one that fails must not hide the others.
    const alone = { subject: '', preheader: null, html: '', [field]: texts[field] ?? '' };
    const outcome = await renderer.render(tenantId, alone, { to: contact, links });
    if (outcome.ok) return outcome.texts[field] ?? '';
    problems.push({ ...problemOf(new RenderFailure(outcome.failure)), isFault: true });
    return '';
  };
  const [subject, html] = [await rendered('subject'), await rendered('html')];
  const preheader = texts.preheader ? await rendered('preheader') : null;
  return { subject, preheader, html, chosen: 'draft', reason: 'This text is not saved yet.', problems };
}

function problemOf({ field, line, column, message }: RenderFailure) {
  return { field, line, column, message };
}
