import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseLanguage } from './language.js';
import { languages } from './texts.js';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['DE-at', 'de'],
  ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
  ['en;q=0.5, es;q=0.8', 'es'],
  ['ja, pt;q=0.9, de;q=0.1', 'de'],
  ['ja', 'en'],
  ['es;q=0, de;q=0.001', 'de'],
  ['*', 'en'],
  ['en;q=0, *', 'de'],
  ['de;q=0.5, *;q=0.9', 'en'],
  ['en;q=0.2, de;q=0.5, *;q=0.9', 'fr'],
  ['zh-Hant-TW, fr ; q = 0.7', 'fr'],
  ['de;q=2, fr;q=0.1', 'fr'],
  ['de;q=, fr', 'fr'],
  ['desk, fr;q=0.1', 'fr'],
  ['de;level=1;q=0.4,es;q=0.3', 'es'],
  ['de, fr', 'de'],
])('%j is answered in %s', (header, expected) => expect(chooseLanguage(header)).toBe(expected));

it('any header gets a supported language', () => {
  const part = fc.constantFrom('de', 'en-GB', 'xx', '*', ';q=0.5', ';', ',', ' ', '=', '1', 'q', '-', '\t');
  const header = fc.oneof(
    fc.string(),
    fc.array(part).map((parts) => parts.join('')),
  );
  fc.assert(fc.property(header, (text) => void expect(languages).toContain(chooseLanguage(text))));
  expect(chooseLanguage(`${'a-'.repeat(100_000)},de`)).toBe('en');
});
