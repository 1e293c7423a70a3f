// The scripts of the page: written in browser/, compiled beside the server, sent as they are.
import { readFileSync } from 'node:fs';

/** What reference.js imports, directly or not. */
export const modules = [
  'answer.js',
  'caller.js',
  'confirm.js',
  'contents.js',
  'copy.js',
  'dom.js',
  'form.js',
  'languages.js',
  'request.js',
  'rows.js',
  'search.js',
  'session.js',
  'try-it.js',
  'words.js',
] as const;

/** early.js runs before the first paint, so that neither the colours nor the language visibly change. */
export const scripts = ['early.js', 'reference.js', ...modules] as const;
export type Script = (typeof scripts)[number];

// The same path from server/src/http/reference and from server/dist/http/reference.
const built = new URL('../../../dist/http/reference/browser/', import.meta.url);

export function readScript(name: Script): string {
  return readFileSync(new URL(name, built), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
}
