import { type Tag, walkTags } from '../tracking/walk-tags.js';

/**
 * Untrusted tenant HTML, alone in a sandbox: no scripts, forms, frames, popups or origin. Styles
 * and pictures may come from anywhere, because mail depends on them.
 */
export const viewHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox; default-src 'none'; img-src https: http: data:; media-src https: http: data:; style-src 'unsafe-inline' https: http:; font-src https: http: data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'cross-origin-resource-policy': 'same-origin',
};

const withTarget = new Set(['a', 'area', 'base']);

/** Removes `target`: a sandbox lets no link open a window, and half of all mail asks for one. */
export function forOneWindow(html: string): string {
  const parts: string[] = [];
  let at = 0;
  const visit = ({ isEnd, isConditional, attributes }: Tag) => {
    if (isEnd || isConditional) return;
    for (const { name, from, to } of attributes) {
      if (name !== 'target') continue;
      parts.push(html.slice(at, from));
      at = to;
    }
  };
  walkTags(html, { wants: (name) => withTarget.has(name), visit });
  return parts.join('') + html.slice(at);
}
