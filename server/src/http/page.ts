// The look of the service's own pages, such as sign-in and consent: that of the console, for any screen, in light and dark, without scripts.
import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from './reference/html.js';
import { icon } from './reference/icon.js';

const css = `
@font-face { font-family: Inter; font-weight: 100 900; font-display: swap; src: url(/docs/inter.woff2) format("woff2"); }
:root { color-scheme: light dark; --text: #1c2024; --faint: #60646c; --page: #f6f6f9; --card: #fff; --line: #e6e7ec;
  --line-strong: #d5d6de; --quiet-back: #f4f4f7; --link: #4a4ac4; --button: #5b5bd6; --button-over: #5151cd; --focus: #5b5bd6;
  --bad: #c0262d; --bad-back: #feebec; --good: #18794e; --good-back: #e6f6ec; --note: #8f5600; --note-back: #fef3dd; }
@media (prefers-color-scheme: dark) {
  :root { --text: #edeef0; --faint: #abafb6; --page: #101113; --card: #191b1e; --line: #2a2d31;
    --line-strong: #3a3e44; --quiet-back: #212327; --link: #b1b3ff; --focus: #b0b2f5;
    --bad: #ff9592; --bad-back: #3d1517; --good: #4cc38a; --good-back: #12301f; --note: #f1a10d; --note-back: #372204; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; min-height: 100vh; display: flex; align-items: center; justify-content: center;
  background: var(--page); color: var(--text); font: 0.875rem/1.5 Inter, "Segoe UI", -apple-system, "Helvetica Neue", Arial, sans-serif;
  -webkit-font-smoothing: antialiased; }
main { width: 100%; max-width: 25rem; padding: 2rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 14px; box-shadow: 0 8px 30px rgb(20 21 23 / 6%); overflow-wrap: anywhere; }
main.wide { max-width: 44rem; align-self: flex-start; }
.brand { display: flex; gap: 0.625rem; align-items: center; margin: 0 0 1.25rem; color: var(--text); font-weight: 600; }
.brand span { flex: none; width: 28px; height: 28px; }
h1 { margin: 0 0 0.75rem; font-size: 1.375rem; font-weight: 600; line-height: 1.3; }
h2 { margin: 2rem 0 0.5rem; font-size: 1rem; font-weight: 600; line-height: 1.4; }
p { margin: 0 0 0.75rem; color: var(--faint); }
p strong, li strong { color: var(--text); font-weight: 600; }
a { color: var(--link); }
form { margin: 1.25rem 0 0; }
label, legend { display: block; margin: 0 0 0.25rem; font-weight: 500; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; }
.choice { display: flex; gap: 0.5rem; align-items: center; min-height: 2.75rem; font-weight: 400; }
.hint { margin: 0.25rem 0 0; font-size: 0.8125rem; }
form + p, form + .hint, form + .ways { margin-top: 1rem; }
.ways { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0; }
.field { margin: 0 0 1rem; }
input:not([type=radio], [type=checkbox], [type=hidden]), select { width: 100%; min-height: 2.625rem; padding: 0.5rem 0.75rem;
  border: 1px solid var(--line-strong); border-radius: 6px; background: var(--card); color: var(--text); font: inherit; }
input[type=radio], input[type=checkbox] { accent-color: var(--button); }
input[readonly]:not([type=hidden]) { border-color: var(--line); background: var(--quiet-back); }
button { width: 100%; min-height: 2.625rem; padding: 0.5rem 1rem; border: 1px solid transparent; border-radius: 6px;
  background: var(--button); color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
button:hover { background: var(--button-over); }
button + button { margin-top: 0.5rem; }
button.quiet { margin-top: 0.5rem; border-color: var(--line-strong); background: transparent; color: var(--text); }
button.quiet:hover { background: var(--quiet-back); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.bad, .good, .note { padding: 0.625rem 0.75rem; border-radius: 8px; }
.bad { background: var(--bad-back); color: var(--bad); }
.good { background: var(--good-back); color: var(--good); }
.note { background: var(--note-back); color: var(--note); }
.rows { margin: 0; padding: 0; list-style: none; }
.rows li { padding: 0.75rem 0; border-top: 1px solid var(--line); color: var(--faint); }
.rows form { margin: 0.5rem 0 0; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { overflow-x: auto; padding: 0.75rem 1rem; margin: 0 0 0.75rem; border: 1px solid var(--line); border-radius: 8px; }
details { margin-top: 1rem; }
summary { color: var(--link); cursor: pointer; }
`;

const cssHash = hash('sha256', css, 'base64');

/** Forms may be submitted here and, once answered, may redirect to these: the apps that a user signs in for. */
function headersFor(formTargets: readonly string[]) {
  const targets = ["'self'", ...formTargets].join(' ');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; font-src 'self'; style-src 'sha256-${cssHash}'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
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
  /** A success, an error or a note: shown above everything else, and read out. */
  bad?: string | undefined;
  good?: string | undefined;
  /** What the person should know first. */
  note?: string | undefined;
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
  const { title, body, bad, good, note, isWide, formTargets = [] } = page;
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
<p class="brand"><span aria-hidden="true">${new Html(icon)}</span>Rapport</p>
<h1>${title}</h1>
${bad && html`<p class="bad" role="alert">${bad}</p>\n`}${good && html`<p class="good" role="status">${good}</p>\n`}${note && html`<p class="note" role="status">${note}</p>\n`}${body}
</main>
</body>
</html>
`;
  return { headers: headersFor(formTargets), text: text.text };
}
