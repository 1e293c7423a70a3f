import { plainText, withoutTags } from '../../../mail/plain-text.js';
import { compile, type PlatformValues, problemOf, type Values } from '../template/index.js';
import type { Failure, Field, Links, Note, Outcome, Person, Recipient, Texts, Words } from './texts.js';

const noValues: Values = Object.create(null);

/** Renders an email for one person. Stops at the first part that cannot be rendered. */
export function renderPerson(texts: Texts, person: Person, note?: Note): Outcome {
  const { to, links, words, withoutHtml } = person;
  const rendered: Texts = { subject: '', preheader: texts.preheader, html: '' };
  for (const field of ['subject', 'preheader', 'html'] as const) {
    const text = texts[field];
    if (text === null || (withoutHtml && field === 'html')) continue;
    note?.(field);
    const part = renderText(field, text, to, links, words, texts.isJson);
    if (!part.ok) return part;
    rendered[field] = part.text;
  }
  if (!person.withText) return { ok: true, texts: rendered };
  note?.('text');
  return { ok: true, texts: rendered, text: textOf(person.html ?? rendered.html, person.simply ?? false) };
}

// Without variables, everyone gets the same text.
let last = { html: '', simply: false, text: '' };

function textOf(html: string, simply: boolean): string {
  if (html !== last.html || simply !== last.simply)
    last = { html, simply, text: (simply ? withoutTags : plainText)(html) };
  return last.text;
}

type RenderedText = { ok: true; text: string } | { ok: false; failure: Failure };

/** Renders one part of an email for one contact. A missing value becomes its default, or nothing. */
export function renderText(
  field: Field,
  text: string,
  to: Recipient | null,
  links: Links,
  words?: Words,
  isJson = false,
): RenderedText {
  if (!text.includes('{')) return { ok: true, text };
  const compiled = compile(text, field === 'html' ? 'html' : isJson ? 'json' : 'text');
  if (!compiled.ok) return { ok: false, failure: { field, ...compiled.problem } };
  try {
    const rendered = compiled.template.render(platformValues(to, links, words), to?.properties ?? noValues);
    // A property may contain line breaks; a header must not.
    return { ok: true, text: field === 'subject' ? oneLine(rendered) : rendered };
  } catch (error) {
    return { ok: false, failure: { field, ...problemOf(error) } };
  }
}

// Has no prototype, so that a property named `constructor` is looked up among the properties.
function platformValues(to: Recipient | null, links: Links, words: Words = {}): PlatformValues {
  const values = Object.create(null);
  values.email = to?.email ?? '';
  values.unsubscribe_url = links.unsubscribeUrl;
  values.preferences_url = links.preferencesUrl;
  values.view_url = links.viewUrl;
  values.confirm_url = links.confirmUrl ?? '';
  values.data = words.data ?? noValues;
  values.event = words.event ?? noValues;
  values.webhook = words.webhook ?? noValues;
  return values;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const controls = /[\u0000-\u001f\u007f]+/g;

function oneLine(text: string): string {
  return text.replace(controls, ' ').trim();
}
