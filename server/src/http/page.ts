// The look of the service's own pages: sign-in, consent, account. Without scripts, for any screen, in light and dark.
import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from './reference/html.js';

const css = `
:root { color-scheme: light dark; --text: #1c2230; --faint: #4a5365; --page: #f3f4f7; --card: #fff; --line: #d5d9e2;
  --button: #2148b8; --on-button: #fff; --focus: #b35900; --bad: #a4262c; --bad-back: #fdf1f1; --good: #1c6b3a; --good-back: #eff8f2; }
@media (prefers-color-scheme: dark) {
  :root { --text: #eceef3; --faint: #b9c0cf; --page: #14171f; --card: #1e222d; --line: #3a4152;
    --button: #9db7ff; --on-button: #10131a; --focus: #ffc47a; --bad: #ff9c9c; --bad-back: #3a2226; --good: #8fd7a8; --good-back: #1f3328; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; min-height: 100vh; display: flex; align-items: center; justify-content: center;
  background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 27rem; padding: 2rem 1.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 0.75rem; overflow-wrap: anywhere; }
main.wide { max-width: 44rem; align-self: flex-start; }
.brand { margin: 0 0 1.25rem; font-weight: 700; color: var(--faint); }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.125rem; }
p { margin: 0 0 0.75rem; color: var(--faint); }
p strong, li strong { color: var(--text); }
a { color: var(--button); }
form { margin: 1.25rem 0 0; }
label, legend { display: block; margin: 0 0 0.25rem; font-weight: 600; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; }
.choice { display: flex; gap: 0.5rem; align-items: center; min-height: 2.75rem; font-weight: 400; }
.hint { margin: 0.25rem 0 0; font-size: 0.875rem; }
form + .hint { margin-top: 1rem; }
.field { margin: 0 0 1rem; }
input:not([type=radio], [type=checkbox], [type=hidden]), select { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; border: 1px solid var(--faint);
  border-radius: 0.5rem; background: var(--card); color: var(--text); font: inherit; }
input[readonly]:not([type=hidden]) { border-color: var(--line); background: var(--page); }
button { width: 100%; min-height: 2.75rem; padding: 0.5rem 1rem; border: 1px solid var(--button); border-radius: 0.5rem;
  background: var(--button); color: var(--on-button); font: inherit; font-weight: 600; cursor: pointer; }
button + button { margin-top: 0.5rem; }
button.quiet { margin-top: 0.5rem; background: transparent; color: var(--button); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.bad, .good { padding: 0.625rem 0.75rem; border-radius: 0.5rem; }
.bad { background: var(--bad-back); color: var(--bad); }
.good { background: var(--good-back); color: var(--good); }
.rows { margin: 0; padding: 0; list-style: none; }
.rows li { padding: 0.75rem 0; border-top: 1px solid var(--line); color: var(--faint); }
.rows form { margin: 0.5rem 0 0; }
code, .codes { font-family: ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem 1rem; margin: 0 0 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; }
.codes { columns: 2 12rem; padding: 0.75rem 1rem; margin: 0 0 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; list-style: none; }
details { margin-top: 1rem; }
summary { color: var(--button); cursor: pointer; }
svg.qr { display: block; width: 11rem; height: 11rem; margin: 0 0 0.75rem; background: #fff; }
`;

const cssHash = hash('sha256', css, 'base64');

/** Forms may be submitted here and, once answered, may redirect to these: the apps that a user signs in for. */
function headersFor(formTargets: readonly string[]) {
  const targets = ["'self'", ...formTargets].join(' ');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${cssHash}'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    // Not `no-referrer`: with that, browsers hide where a form comes from, and over plain http nothing else reveals it.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  };
}

/** Text that is already HTML. Only `html` creates it. */
export class Html {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

/** The only way to write HTML: values are escaped unless `html` made them, and so is each element of a list. Undefined and false write nothing. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): Html {
  return new Html(strings.reduce((text, part, i) => text + written(values[i - 1]) + part));
}

function written(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(written).join('');
  return value === undefined || value === null || value === false ? '' : escapeHtml(String(value));
}

export interface Page {
  title: string;
  body: Html;
  /** A success or an error: shown above everything else, and read out. */
  bad?: string | undefined;
  good?: string | undefined;
  isWide?: boolean;
  /** Origins, or schemes such as `com.example.app:`, that a form may redirect to. */
  formTargets?: readonly string[];
}

export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  const { headers, text } = writePage(page);
  return reply.code(status).headers(headers).send(text);
}

/** The same, for responses sent in other ways. */
export function writePage(page: Page): { headers: Record<string, string>; text: string } {
  const { title, body, bad, good, isWide, formTargets = [] } = page;
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Rapport</title>
<style>${new Html(css)}</style>
</head>
<body>
<main${isWide && html` class="wide"`}>
<p class="brand">Rapport</p>
<h1>${title}</h1>
${bad && html`<p class="bad" role="alert">${bad}</p>\n`}${good && html`<p class="good" role="status">${good}</p>\n`}${body}
</main>
</body>
</html>
`;
  return { headers: headersFor(formTargets), text: text.text };
}
