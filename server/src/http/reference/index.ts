// The API reference for people, served at /docs: one page with its stylesheet, font and scripts, and nothing from elsewhere.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { routes } from '@rapport/contract';
import { referenceCss } from './css.js';
import { icon } from './icon.js';
import { renderPage } from './layout.js';
import { operationsOf } from './operations.js';
import { readScript, type Script, scripts } from './scripts.js';

/**
 * Sent with every file. The page may load its own files and call its own service, nothing else; and because it holds a token while
 * the reader tries an operation, no text can become markup or script in it.
 */
export const referenceCsp = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface ReferenceOptions {
  baseUrl: string;
}

export type ReferencePath =
  | '/docs'
  | '/docs/reference.css'
  | '/docs/operations.json'
  | '/docs/inter.woff2'
  | '/docs/icon.svg'
  | `/docs/${Script}`;

interface File {
  type: string;
  body: string | Buffer;
}

export function renderReference({ baseUrl }: ReferenceOptions): string {
  return renderPage(routes, baseUrl.replace(/\/+$/, ''));
}

const text = (type: string, make: (options: ReferenceOptions) => string) => (options: ReferenceOptions) => ({
  type: `${type}; charset=utf-8`,
  body: make(options),
});

/** Every file of the reference, built on call. */
export const referenceFiles = {
  '/docs': text('text/html', renderReference),
  '/docs/reference.css': text('text/css', () => referenceCss),
  '/docs/operations.json': text('application/json', () => JSON.stringify(operationsOf(routes))),
  '/docs/inter.woff2': () => ({ type: 'font/woff2', body: inter() }),
  '/docs/icon.svg': () => ({ type: 'image/svg+xml', body: icon }),
  ...(Object.fromEntries(
    scripts.map((name) => [`/docs/${name}`, text('text/javascript', () => readScript(name))]),
  ) as Record<`/docs/${Script}`, (options: ReferenceOptions) => File>),
} satisfies Record<ReferencePath, (options: ReferenceOptions) => File>;

export const referencePaths = Object.keys(referenceFiles) as ReferencePath[];

/** The letters of English, in all weights. */
function inter(): Buffer {
  return readFileSync(
    createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  );
}
