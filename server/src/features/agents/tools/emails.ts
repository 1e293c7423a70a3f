// Emails: which there are, what one says, and how a contact would read it.
import * as contract from '@rapport/contract';
import { Type } from 'typebox';
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
    return { data: pageData(range, items, total), text: `${plural(total, 'email')}.` };
  },
});

// Characters of a part: with all escapes, it fits into one answer.
const partLength = 15_000;

export const getEmailTool = tool({
  name: 'get_email',
  title: 'Read an email',
  scopes: ['read'],
  description:
    'An email with its content: a design of blocks, or HTML, which may be a template in Liquid. Long HTML comes in parts: go on with htmlFrom. Example: {"emailId":"019a8b2c4d5e6f708192a3c1"}',
  input: Type.Object({
    emailId: Type.String(),
    htmlFrom: Type.Optional(Type.Integer({ minimum: 0, description: 'the character from which on to read' })),
  }),
  output: shape({ email: 'object', htmlLength: 'integer', nextHtmlFrom: ['integer', 'null'], cut: 'string' }),
  annotations: reads,
  run: async ({ emailId, htmlFrom = 0 }, { api }) => {
    const { data } = await api(contract.getEmail, { params: { id: emailId } });
    const { html, design, ...email } = data;
    // Its html is made from it.
    if (design !== null)
      return {
        data: { email: { ...email, design }, htmlLength: html.length, nextHtmlFrom: null },
        text: 'The email is a design of blocks.',
        touched: [`email:${emailId}`],
      };
    const part = html.slice(htmlFrom, htmlFrom + partLength);
    const next = htmlFrom + part.length < html.length ? htmlFrom + part.length : null;
    const cut =
      next === null
        ? {}
        : { cut: `html shows characters ${htmlFrom} to ${next} of ${html.length}. Call again with htmlFrom: ${next}.` };
    return {
      data: { email: { ...email, html: part }, htmlLength: html.length, nextHtmlFrom: next, ...cut },
      text: `The email has ${plural(html.length, 'character')} of HTML.`,
      touched: [`email:${emailId}`],
    };
  },
});

export const previewEmailTool = ({ plainText }: EmailNeeds) =>
  tool({
    name: 'preview_email',
    title: 'Preview an email',
    scopes: ['read'],
    description:
      'An email as a contact would read it, as text, with problems of its template; without a contact, or without the scope people, as somebody of whom nothing is known. Example: {"emailId":"019a8b2c4d5e6f708192a3c1","email":"ada@example.com"}',
    input: Type.Object({ emailId: Type.String(), ...contactInput }),
    output: shape({
      ...{ subject: 'string', preheader: ['string', 'null'], text: 'string', chosen: 'string', reason: 'string' },
      ...{ problems: 'array', note: 'string', cut: 'string' },
    }),
    annotations: reads,
    run: async ({ emailId, ...who }, session) => {
      const { api, scopes, caller } = session;
      const isNamed = who.contactId !== undefined || who.email !== undefined;
      // Somebody else's words can come back in any form, so without the scope none go in.
      const contact = isNamed && scopes.has('people') ? await getContact(session, who) : undefined;
      const params = { id: emailId };
      const { data } = await api(contract.previewSavedEmail, { params, query: { contactId: contact?.id } });
      const { subject, preheader, html, chosen, reason, problems } = data;
      const note = isNamed && !contact ? { note: 'Rendered for nobody: the app does not have the scope people.' } : {};
      return {
        data: {
          ...{ subject, preheader, text: await plainText(caller.tenantId, html), chosen, reason, problems },
          ...note,
        },
        text: `Rendered${contact ? ' for the contact' : ''}, with ${plural(problems.length, 'problem')}.`,
        touched: [`email:${emailId}`, ...(contact ? [`contact:${contact.id}`] : [])],
      };
    },
  });
