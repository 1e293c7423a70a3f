import type { Design } from '@rapport/contract';
import { expect, it } from 'vitest';
import { newTranslation, stillMissing, translationDraftsOf, translationsPatch } from './translations.ts';

const design = (text: string, lang?: string): Design => ({
  version: 1,
  ...(lang ? { theme: { lang } } : {}),
  blocks: [{ type: 'text', content: [{ type: 'paragraph', spans: [{ text }] }] }],
});
const none = { subject: null, preheader: null, html: null, design: null };
const own = { preheader: 'Read on', html: '<p>Hello</p>', design: design('Hello') };
const place = 'design.blocks[0].content[0]';

it('leaves out the html that is made from a design', () => {
  const translation = { ...none, html: '<p>made</p>', missing: [] };
  expect(
    translationDraftsOf({ languages: { de: { ...translation, design: design('Hallo') }, fr: translation } }),
  ).toEqual({
    de: { ...none, design: design('Hallo') },
    fr: { ...none, html: '<p>made</p>' },
  });
  expect(translationDraftsOf({})).toEqual({});
});

it('begins with the content of the email, in the other language', () => {
  expect(newTranslation('de', own)).toEqual({ ...none, design: design('Hello') });
  expect(newTranslation('de', { ...own, design: design('Hello', 'en') }).design).toEqual(design('Hello', 'de'));
  expect(newTranslation('de', { ...own, design: null })).toEqual({ ...none, html: '<p>Hello</p>' });
});

it('sends what changed of each language, and null for one that was removed', () => {
  const base = { de: { ...none, subject: 'Hallo', design: design('Hallo') }, fr: { ...none, subject: 'Salut' } };
  expect(translationsPatch(structuredClone(base), base)).toBeUndefined();
  const { de, fr } = base;
  expect(translationsPatch({ de: { ...de, subject: null } }, base)).toEqual({ de: { subject: null }, fr: null });
  expect(translationsPatch({ de: { ...de, design: design('Servus') }, fr }, base)).toEqual({
    de: { design: design('Servus') },
  });
  expect(translationsPatch({ ...base, de: { ...de, design: null, html: '<p>x</p>' } }, base)).toEqual({
    de: { html: '<p>x</p>' },
  });
  expect(translationsPatch({ ...base, de: { ...de, design: null } }, base)).toEqual({ de: { html: null } });
  expect(translationsPatch({ ...base, fr: { ...fr, html: '' } }, base)).toEqual({ fr: { html: null } });
  expect(translationsPatch({ ...base, it: none }, base)).toEqual({ it: {} });
});

it('takes a warning back as soon as the text is another one', () => {
  const copied = newTranslation('de', own);
  expect(stillMissing(own, copied, [place])).toEqual(['subject', 'preheader', place]);
  const done = { subject: 'Hallo', preheader: '', html: null, design: design('Hallo') };
  expect(stillMissing(own, done, [place])).toEqual([]);
  expect(stillMissing({ ...own, preheader: '' }, none, [])).toEqual(['subject', 'design']);
  expect(stillMissing({ ...own, design: null }, none, [])).toEqual(['subject', 'preheader', 'html']);
});
