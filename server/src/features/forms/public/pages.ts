// The public pages of forms.
import { formFieldNames } from '@rapport/contract';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../../http/reference/html.js';
import { type Language, sendOwnPage } from '../../messages/index.js';
import type { Branding } from '../../tenants/index.js';
import { consentHtml, fieldsHtml } from '../embed.js';
import type { PublicForm } from '../queries.js';
import type { Challenge } from '../submissions/proofs.js';
import type { ValueFault } from '../submissions/read-values.js';
import { scriptPath } from './script.js';
import { formTexts } from './texts.js';

type PlainPage = 'unknown' | 'closed' | 'tooMany' | 'confirmed' | 'used' | 'old' | 'gone' | 'badLink';

/** Where it is shown in frames, and where it leads. */
function rightsOf({ allowedOrigins, success, branding }: PublicForm) {
  const formTargets = success?.url === undefined ? [] : [new URL(success.url).origin];
  return { frames: allowedOrigins, formTargets, branding };
}

export function sendPlain(
  reply: FastifyReply,
  status: number,
  language: Language,
  name: PlainPage,
  of: PublicForm | { branding: Branding | null } = { branding: null },
): FastifyReply {
  const { title, text } = formTexts[language][name];
  const content = `<p>${escapeHtml(text)}</p>\n`;
  return sendOwnPage(reply, status, language, { title, content, ...('formId' in of ? rightsOf(of) : of) });
}

interface Typed {
  values: ReadonlyMap<string, string>;
  faults: ReadonlyMap<string, ValueFault>;
}

/** The form, with what was typed and what is wrong with it. */
export function sendForm(
  reply: FastifyReply,
  language: Language,
  form: PublicForm,
  { values, faults }: Typed,
  challenge: Challenge,
): FastifyReply {
  const texts = formTexts[language];
  const boxes = new Set(form.fields.filter(({ type }) => type === 'checkbox').map(({ property }) => property));
  const words = (property: string, fault: ValueFault) =>
    fault === 'required' && boxes.has(property) ? texts.mustCheck : texts.faults[fault];
  const told = new Map([...faults].map(([property, fault]) => [property, words(property, fault)]));
  const alert = faults.size > 0 ? `<p class="saved" role="alert">${escapeHtml(texts.faulty)}</p>\n` : '';
  const fields = fieldsHtml(form.fields, {
    values,
    faults: told,
    leaveEmpty: texts.leaveEmpty,
    apart: 'class="apart"',
    ids: 'f',
  });
  const content = `${alert}<form method="post" data-rapport-form${challengeAttribute(challenge)}>
${fields}${consentHtml(form)}<button type="submit">${escapeHtml(texts.send)}</button></form>
${scriptTag}`;
  const title = form.name;
  return sendOwnPage(reply, faults.size > 0 ? 400 : 200, language, {
    title,
    content,
    hasScript: true,
    ...rightsOf(form),
  });
}

const scriptTag = `<script src="${scriptPath}" async></script>\n`;

function challengeAttribute(challenge: Challenge): string {
  return ` data-challenge="${escapeHtml(JSON.stringify(challenge))}"`;
}

/** Asks for the proof, with all that was typed. A script answers by itself; without one, a mail can ask the person. */
export function sendProof(
  reply: FastifyReply,
  language: Language,
  form: PublicForm,
  values: ReadonlyMap<string, string>,
  challenge: Challenge,
  canMail: boolean,
): FastifyReply {
  const { title, text, working, byMail, mailButton, needsScript } = formTexts[language].proof;
  const hidden = [...values].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">\n`,
  );
  const mail = `<p>${escapeHtml(byMail)}</p>
<form method="post">${hidden.join('')}<button type="submit" name="${formFieldNames.byMail}" value="1">${escapeHtml(mailButton)}</button></form>`;
  const content = `<p>${escapeHtml(text)} ${escapeHtml(working)}</p>
<form method="post" data-rapport-form data-rapport-now${challengeAttribute(challenge)}>
${hidden.join('')}</form>
<noscript>${canMail ? mail : `<p>${escapeHtml(needsScript)}</p>`}</noscript>
${scriptTag}`;
  return sendOwnPage(reply, 200, language, { title, content, hasScript: true, ...rightsOf(form) });
}

/** The form arrived. What the page says depends on the form alone, never on the sender. */
export function sendDone(reply: FastifyReply, language: Language, form: PublicForm, isPending: boolean): FastifyReply {
  const texts = formTexts[language];
  const { title, text } = isPending ? texts.pending : texts.done;
  const message = form.success?.message;
  const own = message === undefined ? '' : `<p class="consent">${escapeHtml(message)}</p>\n`;
  const content = message !== undefined && !isPending ? own : `${own}<p>${escapeHtml(text)}</p>\n`;
  return sendOwnPage(reply, 200, language, { title, content, ...rightsOf(form) });
}

/** Asks whether the recipient of the mail really sent the form. */
export function sendQuestion(
  reply: FastifyReply,
  language: Language,
  { email, topics, branding }: { email: string; topics: readonly string[]; branding: Branding | null },
): FastifyReply {
  const { title, text, about, button } = formTexts[language].confirm;
  const subjects = topics.length === 0 ? '' : ` ${filled(about, 'topics', topics.join(', '))}`;
  const content = `<p>${filled(text, 'email', email)}${subjects}</p>
<form method="post"><button type="submit">${escapeHtml(button)}</button></form>
`;
  return sendOwnPage(reply, 200, language, { title, content, branding });
}

function filled(text: string, name: string, value: string): string {
  return escapeHtml(text).replace(`{${name}}`, () => `<strong><bdi>${escapeHtml(value)}</bdi></strong>`);
}
