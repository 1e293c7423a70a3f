// How the pages for people look: one heading, one sentence, one button, without scripts, for any screen.
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../../http/reference/html.js';
import { chooseLanguage } from './language.js';
import { type Language, type Texts, texts } from './texts.js';

const css = `
:root { color-scheme: light dark; --text: #1c2230; --faint: #4a5365; --page: #f3f4f7; --card: #fff; --line: #d5d9e2;
  --button: #2148b8; --on-button: #fff; --focus: #b35900; }
@media (prefers-color-scheme: dark) {
  :root { --text: #eceef3; --faint: #b9c0cf; --page: #14171f; --card: #1e222d; --line: #3a4152;
    --button: #9db7ff; --on-button: #10131a; --focus: #ffc47a; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; min-height: 100vh; display: flex; align-items: center; justify-content: center;
  background: var(--page); color: var(--text); font: 1.0625rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 30rem; padding: 2rem 1.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 0.75rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0; color: var(--faint); }
strong { color: var(--text); }
form { margin: 1.5rem 0 0; }
button { width: 100%; min-height: 3rem; padding: 0.625rem 1rem; border: 1px solid var(--button); border-radius: 0.5rem;
  background: var(--button); color: var(--on-button); font: inherit; font-weight: 600; cursor: pointer; }
button.quiet { background: transparent; color: var(--button); }
button:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', css, 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** What a page offers: a form that goes to the address of the page itself. */
interface Form {
  method: 'get' | 'post';
  isQuiet: boolean;
  /** A field of the form. */
  undo?: true;
}

const forms: Partial<Record<keyof Texts, Form>> = {
  unsubscribe: { method: 'post', isQuiet: false },
  unsubscribed: { method: 'post', isQuiet: true, undo: true },
  resubscribed: { method: 'get', isQuiet: true },
};

/** Sends a page in the language of the browser. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  name: keyof Texts,
  email = '',
): FastifyReply {
  const language = chooseLanguage(request.headers['accept-language']);
  return reply
    .code(status)
    .headers({ ...headers, 'content-language': language, vary: 'accept-language' })
    .send(pageOf(language, name, email));
}

function pageOf(language: Language, name: keyof Texts, email: string): string {
  const words = texts[language][name];
  // Of two directions in one sentence, each keeps its own.
  const address = `<strong><bdi>${escapeHtml(email)}</bdi></strong>`;
  const text = escapeHtml(words.text).replace('{email}', () => address);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(words.title)}</title>
<style>${css}</style>
</head>
<body>
<main>
<h1>${escapeHtml(words.title)}</h1>
<p>${text}</p>
${'button' in words ? formOf(forms[name], words.button) : ''}</main>
</body>
</html>
`;
}

function formOf(form: Form | undefined, label: string): string {
  if (!form) return '';
  const field = form.undo ? '<input type="hidden" name="undo" value="1">' : '';
  const look = form.isQuiet ? ' class="quiet"' : '';
  return `<form method="${form.method}">${field}<button type="submit"${look}>${escapeHtml(label)}</button></form>\n`;
}
