// Where a person goes after signing in: one of our own paths, never another site.
import type { FastifyReply } from 'fastify';
import { html, sendPage } from '../../http/page.js';

export const home = '/console';
const longest = 4000;
// Any host that does not exist will do to parse paths.
const base = 'http://path.invalid';

/** The path as a Location header may carry it; undefined if it could lead elsewhere. */
export function safeNext(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > longest) return undefined;
  // Browsers read a backslash as a slash, and leave out tabs and line breaks.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to keep out
  if (!/^\/(?!\/)/.test(given) || /[\\\u0000-\u001f\u007f]/.test(given) || !URL.canParse(given, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(given, base);
  // `/.//host` is `//host` once it is read.
  if (origin !== base || !isSafePath(pathname)) return undefined;
  return `${pathname}${search}${hash}`;
}

// None of our paths is percent-encoded more often than this.
const mostLayers = 5;

/** Decoded however often it was percent-encoded: the last reader decides what it means. */
function isSafePath(given: string): boolean {
  let path = given;
  for (let layer = 0; layer <= mostLayers; layer++) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to keep out
    if (path.startsWith('//') || /[\\\u0000-\u001f\u007f]/.test(path)) return false;
    // A person who just signed in must not be signed in as someone else by a provider that a link names.
    const { pathname } = new URL(path.replaceAll('?', '%3F').replaceAll('#', '%23'), base);
    if (/^\/+oauth\/+sso\//i.test(path) || /^\/+oauth\/+sso\//i.test(pathname)) return false;
    const decoded = decodedOnce(path);
    if (decoded === path) return true;
    if (decoded === undefined) return false;
    path = decoded;
  }
  return false;
}

function decodedOnce(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** `/oauth/sign-in?next=…`, and the like. */
export function withNext(path: string, next: string | undefined): string {
  return next === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`;
}

/**
 * Answers a form with a redirect. If it may end at an app's own address, it goes through a page: browsers check the whole chain of redirects
 * after a form against the policy of the form's page, which names no app.
 */
export function leadOn(reply: FastifyReply, to: string): FastifyReply {
  if (!/^\/oauth\/(authorize|consent)\b/.test(to)) return reply.redirect(to, 303);
  return sendPage(reply.header('refresh', `0; url=${to}`), 200, {
    title: 'You are signed in',
    body: html`<p><a href="${to}">Continue</a> if nothing happens.</p>`,
  });
}
