// @vitest-environment happy-dom
import type { Design } from '@rapport/contract';
import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Draft } from '../draft.ts';
import type { EmailDraft } from '../use-email-draft.ts';
import { useTexts } from './use-texts.ts';

const design = (address: string): Design => ({ version: 1, blocks: [{ type: 'footer', address }] });
const own = { subject: 'Hello', design: design('own'), html: '', languages: {} };
const german = { subject: 'Hallo', preheader: null, html: null, design: design('de') };

/** What an edit of the German translation makes of a draft. */
function edited(draft: object, act: (texts: ReturnType<typeof useTexts>) => void): unknown {
  let result: unknown = draft;
  const edit = (make: (now: Draft) => Draft) => {
    result = make(draft as Draft);
  };
  const shown = { ...own, languages: { de: german } };
  const work = { draft: shown, edit, history: { past: [], future: [] }, errors: {} } as unknown as EmailDraft;
  act(renderHook(() => useTexts(work, 'de')).result.current);
  return result;
}

it('changes the translation alone, and nothing once it was removed: a picture may come late', () => {
  const change = (texts: ReturnType<typeof useTexts>) => texts.designWork.change(() => design('new'));
  const write = (texts: ReturnType<typeof useTexts>) => texts.change({ subject: 'Servus' });
  const there = { ...own, languages: { de: german } };
  expect(edited(there, change)).toEqual({ ...own, languages: { de: { ...german, design: design('new') } } });
  expect(edited(there, write)).toEqual({ ...own, languages: { de: { ...german, subject: 'Servus' } } });
  expect(edited(own, change)).toBe(own);
  expect(edited(own, write)).toBe(own);
});
