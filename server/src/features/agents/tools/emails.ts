// Emails: which there are, what one says, and how a contact would read it.
import * as contract from '@rapport/contract';
import { Type } from 'typebox';
import { invalid } from '../../../http/api-error.js';
import { fitting } from '../bound.js';
import { nearestOf } from '../nearest.js';
import { pageData, pagingInput, rangeOf, readRange } from '../paging.js';
import { pageShape, reads, shape, tool } from '../tool.js';
import { contactInput, getContact, plural } from './people.js';

export interface EmailNeeds {
  /** HTML as text, made where templates are rendered. */
  plainText(tenantId: number, html: string): Promise<string>;
}

export const listEmailsTool = tool({
  name: 'list_emails',
  title: 'List emails',
  scopes: ['read'],
  description: 'Emails with subject and sender, newest first. Example: {"search":"welcome"}',
  input: Type.Object({
    search: Type.Optional(Type.String({ description: 'a part of the name' })),
    ...pagingInput,
  }),
  output: pageShape,
  annotations: reads,
  run: async ({ search, ...paging }, { api }) => {
    const range = rangeOf(paging);
    const { rows, total } = await readRange(range, (page) => api(contract.listEmails, { query: { search, ...page } }));
    const items = rows.map(({ emailId, name, subject, preheader, fromEmail, topicId, updatedAt }) => ({
      ...{ emailId, name, subject, preheader, fromEmail, topicId, updatedAt },
    }));
    return {
      data: pageData(range, items, total),
      text: `${plural(total, 'email')}.`,
      touched: items.map(({ emailId }) => `email:${emailId}`),
    };
  },
});

// Characters of a part: with all escapes, it fits into one answer.
const partLength = 15_000;

export const getEmailTool = tool({
  name: 'get_email',
  title: 'Read an email',
  scopes: ['read'],
  description:
    'An email with its content: a design of blocks, or HTML, which may be a template in Liquid; with language, that of a translation. What is long comes in parts: go on with htmlFrom or blocksFrom. Example: {"emailId":"019a8b2c4d5e6f708192a3c1"}',
  input: Type.Object({
    emailId: Type.String(),
    language: Type.Optional(Type.String({ description: 'one of email.languages' })),
    htmlFrom: Type.Optional(Type.Integer({ minimum: 0, description: 'the character from which on to read' })),
    blocksFrom: Type.Optional(Type.Integer({ minimum: 0, description: 'the same for the blocks of a design' })),
  }),
  output: shape({
    ...{
      email: 'object',
      htmlLength: 'integer',
      nextHtmlFrom: ['integer', 'null'],
      nextBlocksFrom: ['integer', 'null'],
    },
    cut: 'string',
  }),
  annotations: reads,
  run: async ({ emailId, language, htmlFrom = 0, blocksFrom = 0 }, { api }) => {
    const { data } = await api(contract.getEmail, { params: { id: emailId } });
    const { html, design, ...email } = inLanguage(data, language);
    const part = design === null ? partOfHtml(html, htmlFrom) : partOfDesign(design, html, blocksFrom);
    return {
      data: { ...part.data, email: { ...email, ...part.content } },
      text: part.text,
      touched: [`email:${emailId}`],
      rest: 'What is too long for one answer is in the console, and in GET /v2/emails/{emailId} of the API.',
    };
  },
});

type Email = contract.DataValue<typeof contract.getEmail>;

/** With the content of a translation if one was asked for. The others are only listed. */
function inLanguage({ languages, ...email }: Email, language: string | undefined) {
  const others = Object.entries(languages ?? {});
  const shown = Object.fromEntries(
    others.map(([tag, { subject, preheader, missing }]) => [
      tag,
      { subject, preheader, missing: missing.slice(0, 20) },
    ]),
  );
  const base = { ...email, ...(others.length > 0 ? { languages: shown } : {}) };
  if (language === undefined) return base;
  const translation = Object.hasOwn(languages ?? {}, language) ? languages?.[language] : undefined;
  if (!translation)
    throw invalid(
      'language',
      `is none of this email. Nearest: ${nearestOf(language, Object.keys(shown), (tag) => [tag]).join(', ') || 'none'}`,
    );
  const { subject, preheader, html, design } = translation;
  const content = html === null ? {} : { html, design };
  return { ...base, language, subject: subject ?? email.subject, preheader: preheader ?? email.preheader, ...content };
}

// The html of a design is made from it.
function partOfDesign(design: NonNullable<Email['design']>, html: string, from: number) {
  const { part, next } = fitting(design.blocks, from, partLength * 2);
  const all = design.blocks.length;
  const cut =
    next === null
      ? {}
      : { cut: `design shows blocks ${from} to ${next} of ${all}. Call again with blocksFrom: ${next}.` };
  return {
    content: { design: { ...design, blocks: part } },
    data: { htmlLength: html.length, nextHtmlFrom: null, nextBlocksFrom: next, ...cut },
    text: `The email is a design of ${plural(all, 'block')}.`,
  };
}

function partOfHtml(html: string, from: number) {
  const part = html.slice(from, from + partLength);
  const next = from + part.length < html.length ? from + part.length : null;
  const cut =
    next === null
      ? {}
      : { cut: `html shows characters ${from} to ${next} of ${html.length}. Call again with htmlFrom: ${next}.` };
  return {
    content: { html: part },
    data: { htmlLength: html.length, nextHtmlFrom: next, nextBlocksFrom: null, ...cut },
    text: `The email has ${plural(html.length, 'character')} of HTML.`,
  };
}

export const previewEmailTool = ({ plainText }: EmailNeeds) =>
  tool({
    name: 'preview_email',
    title: 'Preview an email',
    scopes: ['read'],
    description:
      'An email as a contact would read it, as text, with problems of its template; without a contact, or without the scope people, as somebody of whom nothing is known. Example: {"emailId":"019a8b2c4d5e6f708192a3c1","email":"ada@example.com"}',
    input: Type.Object({
      emailId: Type.String(),
      ...contactInput,
      language: Type.Optional(Type.String({ description: 'a tag; by default what the contact reads' })),
    }),
    output: shape({
      ...{ subject: 'string', preheader: ['string', 'null'], text: 'string', chosen: 'string', reason: 'string' },
      ...{ language: ['string', 'null'], problems: 'array', note: 'string', cut: 'string' },
    }),
    annotations: reads,
    run: async ({ emailId, language, ...who }, session) => {
      const { api, scopes, caller } = session;
      const isNamed = who.contactId !== undefined || who.email !== undefined;
      // Words of other people could come back in any form, so without the scope none go in.
      const contact = isNamed && scopes.has('people') ? await getContact(session, who) : undefined;
      const params = { id: emailId };
      const { data } = await api(contract.previewSavedEmail, { params, query: { contactId: contact?.id, language } });
      const { subject, preheader, html, chosen, reason, problems } = data;
      // Null: the email's own.
      const shownIn = data.language ?? null;
      const note =
        isNamed && !contact ? { note: 'Rendered without a contact: the app does not have the scope people.' } : {};
      return {
        data: {
          ...{ subject, preheader, text: await plainText(caller.tenantId, html), chosen, reason },
          ...{ language: shownIn, problems },
          ...note,
        },
        text: `Rendered${contact ? ' for the contact' : ''}, with ${plural(problems.length, 'problem')}.`,
        touched: [`email:${emailId}`, ...(contact ? [`contact:${contact.id}`] : [])],
      };
    },
  });
