import { expect, it } from 'vitest';
import { versionHtml } from './version-texts.ts';

it('makes a version of a preview: its links to unsubscribe are those of the contact again', () => {
  const base = 'http://127.0.0.1:8080';
  const preview = `<a href="${base}/t/u/preview">Unsubscribe</a> <a href='${base}/t/p/preview'>x</a> <a href="${base}/t/v/preview">y</a>`;
  expect(versionHtml(preview)).toBe(
    `<a href="{{unsubscribe_url}}">Unsubscribe</a> <a href='{{unsubscribe_url}}'>x</a> <a href="#">y</a>`,
  );
  expect(versionHtml('<a href="https://example.com/t/u/previews">a</a>')).toContain('/t/u/previews');
});
