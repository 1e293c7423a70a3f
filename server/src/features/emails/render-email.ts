import type { Texts } from './check-templates.js';
import { compile, type PlatformValues, problemOf, type Values } from './template/index.js';

/** Who a message is for; null where nobody was named, so that the defaults show. */
export interface Recipient {
  email: string;
  properties: Values;
}

/** The links of one message. */
export interface Links {
  unsubscribeUrl: string;
  viewUrl: string;
}

/** A stored email that cannot be rendered for a contact, and where. */
export class RenderFailure extends Error {
  constructor(
    readonly field: keyof Texts,
    readonly line: number,
    readonly column: number,
    reason: string,
  ) {
    super(`${field} cannot be rendered: ${reason} (line ${line}, column ${column}).`);
  }
}

const nobody: Values = Object.create(null);

/** One part of an email, for one contact. Missing values become their default, or nothing. */
export function renderText(field: keyof Texts, text: string, to: Recipient | null, links: Links): string {
  if (!text.includes('{')) return text;
  const compiled = compile(text, field === 'html' ? 'html' : 'text');
  try {
    if (!compiled.ok) throw new Error(compiled.problem.message);
    const rendered = compiled.template.render(platformValues(to, links), to?.properties ?? nobody);
    // A property may have line breaks; a header must not.
    return field === 'subject' ? oneLine(rendered) : rendered;
  } catch (error) {
    const { line, column, message } = compiled.ok ? problemOf(error) : compiled.problem;
    throw new RenderFailure(field, line, column, message);
  }
}

// Without a prototype, so that a property named `constructor` is found among the properties.
function platformValues(to: Recipient | null, links: Links): PlatformValues {
  const values = Object.create(null);
  values.email = to?.email ?? '';
  values.unsubscribe_url = links.unsubscribeUrl;
  values.view_url = links.viewUrl;
  return values;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const controls = /[\u0000-\u001f\u007f]+/g;

function oneLine(text: string): string {
  return text.replace(controls, ' ').trim();
}

/** Links that do nothing, for previews and messages to oneself. */
export function previewLinks(baseUrl: string): Links {
  return { unsubscribeUrl: `${baseUrl}/t/u/preview`, viewUrl: `${baseUrl}/t/v/preview` };
}
