import { compile, type PlatformValues, problemOf, type Values } from '../template/index.js';
import type { Failure, Field, Links, Note, Outcome, Person, Recipient, Texts } from './texts.js';

const nobody: Values = Object.create(null);

/** An email for one person. The first part that cannot be rendered is the outcome. */
export function renderPerson(texts: Texts, { to, links, withoutHtml }: Person, note?: Note): Outcome {
  const rendered: Texts = { subject: '', preheader: texts.preheader, html: '' };
  for (const field of ['subject', 'preheader', 'html'] as const) {
    const text = texts[field];
    if (text === null || (withoutHtml && field === 'html')) continue;
    note?.(field);
    const part = renderText(field, text, to, links);
    if (!part.ok) return part;
    rendered[field] = part.text;
  }
  return { ok: true, texts: rendered };
}

type RenderedText = { ok: true; text: string } | { ok: false; failure: Failure };

/** One part of an email, for one contact. Missing values become their default, or nothing. */
export function renderText(field: Field, text: string, to: Recipient | null, links: Links): RenderedText {
  if (!text.includes('{')) return { ok: true, text };
  const compiled = compile(text, field === 'html' ? 'html' : 'text');
  if (!compiled.ok) return { ok: false, failure: { field, ...compiled.problem } };
  try {
    const rendered = compiled.template.render(platformValues(to, links), to?.properties ?? nobody);
    // A property may have line breaks; a header must not.
    return { ok: true, text: field === 'subject' ? oneLine(rendered) : rendered };
  } catch (error) {
    return { ok: false, failure: { field, ...problemOf(error) } };
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
