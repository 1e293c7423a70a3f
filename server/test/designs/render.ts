// Compiles and renders a design in this process, without a service.
import type { Design } from '@rapport/contract';
import { decodeHTML } from 'entities';
import { compileDesign, type Known } from '../../src/features/designs/index.js';
import { conditionsIn } from '../../src/features/emails/conditions.js';
import { readTemplate } from '../../src/features/emails/rendering/check-texts.js';
import { renderPerson } from '../../src/features/emails/rendering/render-person.js';
import type { Person } from '../../src/features/emails/rendering/texts.js';

export const nothingKnown: Known = { blocks: {}, files: {} };
const links = {
  unsubscribeUrl: 'https://rapport.test/t/u/1',
  preferencesUrl: 'https://rapport.test/t/p/1',
  viewUrl: 'https://rapport.test/t/v/1',
};

export function compiled(design: Design, known: Known = nothingKnown) {
  return compileDesign(design, known, readTemplate);
}

/** What a person gets. `holds` decides every condition, public topics too. */
export function rendered(
  design: Design,
  {
    known,
    holds = () => true,
    ...person
  }: Partial<Omit<Person, 'holds'>> & { known?: Known; holds?: (condition: string) => boolean } = {},
): { html: string; text: string } {
  const { html, text } = compiled(design, known);
  const texts = { subject: '', preheader: null, html, text };
  const conditions = conditionsIn(texts);
  const to = { email: 'ada@example.com', properties: { first_name: 'Ada' } };
  const given: Person = { to, links, withText: true, ...person, holds: conditions.map(holds) };
  const outcome = renderPerson({ ...texts, conditions }, given);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return { html: outcome.texts.html, text: outcome.text ?? '' };
}

/** The words that a reader sees, in order, as a browser decodes them. Outlook's own parts are comments. */
export function seenIn(html: string): string {
  const body = html.slice(html.indexOf('<body'), html.indexOf('</body>'));
  const bare = body
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<br>/g, '\n')
    .replace(/<\/(?:p|li|h\d|td|a)>/g, '\n')
    .replace(/<[^>]*>/g, '');
  return decodeHTML(bare);
}
