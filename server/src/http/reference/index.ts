// The reference for people, served at /docs: one page and its stylesheet, no script, nothing from elsewhere.
import { routes } from '@rapport/contract';
import { referenceCss } from './css.js';
import { renderPage } from './layout.js';

export { referenceCss } from './css.js';

/** Goes with both files: nothing but our own stylesheet may load. */
export const referenceCsp =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface ReferenceOptions {
  baseUrl: string;
}

export function renderReference({ baseUrl }: ReferenceOptions): string {
  return renderPage(routes, baseUrl.replace(/\/+$/, ''));
}

export function referenceFiles(
  options: ReferenceOptions,
): Record<'/docs' | '/docs/reference.css', { type: string; body: string }> {
  return {
    '/docs': { type: 'text/html; charset=utf-8', body: renderReference(options) },
    '/docs/reference.css': { type: 'text/css; charset=utf-8', body: referenceCss },
  };
}
