import { plainText, withoutTags } from '../../../mail/plain-text.js';
import { compile, type Outcomes, outcomes, type PlatformValues, problemOf, type Values } from '../template/index.js';
import type { Failure, Field, Links, Note, Person, Recipient, RenderOutcome, Texts, Words } from './texts.js';

const noValues: Values = Object.create(null);

/** Renders an email for one person. Stops at the first part that cannot be rendered. */
export function renderPerson(texts: Texts, person: Person, note?: Note): RenderOutcome {
  const { to, links, words, withoutHtml } = person;
  const rendered: Texts = { subject: '', preheader: texts.preheader, html: '' };
  const decide = outcomesFor(texts, person);
  for (const field of ['subject', 'preheader', 'html'] as const) {
    const text = texts[field];
    if (text === null || (withoutHtml && field === 'html')) continue;
    note?.(field);
    const part = renderText(field, text, to, links, words, texts.isJson, decide);
    if (!part.ok) return part;
    rendered[field] = part.text;
  }
  if (!person.withText) return { ok: true, texts: rendered };
  note?.('text');
  const own = ownText(texts, person, decide);
  if (own !== undefined) return { ok: true, texts: rendered, text: own };
  return { ok: true, texts: rendered, text: textOf(person.html ?? rendered.html, person.simply ?? false) };
}

/** The outcome of each condition, by its text. */
function outcomesFor({ conditions = [] }: Texts, { holds = [] }: Person): Outcomes | undefined {
  if (conditions.length === 0) return undefined;
  const byText = new Map(conditions.map((text, i) => [text, holds[i] ?? false]));
  return (text) => byText.get(text) ?? false;
}

/** The text of an email that has a template for it. A person's version, or a text that is too expensive, has none. */
function ownText(texts: Texts, person: Person, decide: Outcomes | undefined): string | undefined {
  if (!texts.text || person.withoutHtml || person.simply) return undefined;
  const { to, links, words } = person;
  const part = renderText('text', texts.text, to, links, words, false, decide);
  // Where a condition does not hold, the line breaks around it remain.
  return part.ok ? `${part.text.replace(/\n{3,}/g, '\n\n').trim()}\n` : undefined;
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
  field: Field | 'text',
  text: string,
  to: Recipient | null,
  links: Links,
  words?: Words,
  isJson = false,
  decide?: Outcomes,
): RenderedText {
  if (!text.includes('{')) return { ok: true, text };
  const compiled = compile(text, field === 'html' ? 'html' : isJson ? 'json' : 'text');
  if (!compiled.ok) return { ok: false, failure: { field: fieldOf(field), ...compiled.problem } };
  try {
    const rendered = compiled.template.render(platformValues(to, links, words, decide), to?.properties ?? noValues);
    // A property may contain line breaks; a header must not.
    return { ok: true, text: field === 'subject' ? oneLine(rendered) : rendered };
  } catch (error) {
    return { ok: false, failure: { field: fieldOf(field), ...problemOf(error) } };
  }
}

/** The text is told as a part of the html that it belongs to. */
function fieldOf(field: Field | 'text'): Field {
  return field === 'text' ? 'html' : field;
}

// Has no prototype, so that a property named `constructor` is looked up among the properties.
function platformValues(to: Recipient | null, links: Links, words: Words = {}, decide?: Outcomes): PlatformValues {
  const values = Object.create(null);
  values.email = to?.email ?? '';
  values.unsubscribe_url = links.unsubscribeUrl;
  values.preferences_url = links.preferencesUrl;
  values.view_url = links.viewUrl;
  values.confirm_url = links.confirmUrl ?? '';
  values.data = words.data ?? noValues;
  values.event = words.event ?? noValues;
  values.webhook = words.webhook ?? noValues;
  if (decide) values[outcomes] = decide;
  return values;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const controls = /[\u0000-\u001f\u007f]+/g;

function oneLine(text: string): string {
  return text.replace(controls, ' ').trim();
}
