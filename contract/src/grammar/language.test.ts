import { describe, expect, it } from 'vitest';
import { languageFor, readLanguageTag } from './language.js';

describe('a language tag', () => {
  it.each([
    ['de', 'de'],
    ['DE-at', 'de-AT'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['es-419', 'es-419'],
    ['sl-rozaj', 'sl-rozaj'],
    ['iw', 'he'],
  ])('%s is stored as %s', (text, tag) => {
    expect(readLanguageTag(text)).toBe(tag);
  });

  it.each([
    '',
    'd',
    'German',
    'de_AT',
    'de-',
    '-de',
    'x-klingon',
    'de-u-co-phonebk',
    'i-klingon',
    '__proto__',
    ' de',
    `de${'-abcde'.repeat(9)}`,
  ])('%s is none', (text) => {
    expect(readLanguageTag(text)).toBeUndefined();
  });
});

describe('the language of an email for a contact', () => {
  const languages = ['de', 'de-AT', 'pt-BR', 'zh-Hant'];
  it.each([
    [{ language: 'de' }, 'de'],
    [{ language: 'de-AT' }, 'de-AT'],
    [{ language: 'de-CH' }, 'de'],
    [{ language: 'zh-Hant-TW' }, 'zh-Hant'],
    [{ language: 'DE_at.UTF-8' }, 'de-AT'],
    [{ language: ['', 7, 'de'] }, 'de'],
    [{ locale: 'de-AT-u-nu-latn' }, 'de-AT'],
    [{ language: 'de-x-formal' }, 'de'],
    [{ language: 'x-klingon', locale: 'de' }, 'de'],
    // What is there for Brazil is not for Portugal.
    [{ language: 'pt' }, undefined],
    [{ locale: 'de_CH@euro' }, 'de'],
    [{ language: '', locale: 'de' }, 'de'],
    [{ language: 'German', locale: 'de' }, 'de'],
    [{ language: null, locale: 'de' }, 'de'],
    // Who reads English gets the email's own, not what the locale says.
    [{ language: 'en', locale: 'de-AT' }, undefined],
    [{ language: 'de', locale: 'pt-BR' }, 'de'],
    [{ language: 17 }, undefined],
    [{ language: 'x'.repeat(100_000) }, undefined],
    [{}, undefined],
  ])('of %j is %s', (properties, language) => {
    expect(languageFor(languages, properties)).toBe(language);
  });

  // Looking at each place up to the end would take minutes.
  it.each(['.', '@', '-a', '_a'])('is not looked for in a text of many %s', (part) => {
    const language = `${part.repeat(150_000)}\nx`;
    expect(languageFor(languages, { language, locale: 'de' })).toBe('de');
  });

  it('is the own of an email without others', () => {
    expect(languageFor([], { language: 'de' })).toBeUndefined();
  });
});
