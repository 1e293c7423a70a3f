// The look of the pages for people: one heading, one sentence, one button, without scripts, for any screen.
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../../http/reference/html.js';
import type { Branding } from '../../tenants/index.js';
import type { Preferences } from '../tracking/needs.js';
import { type Brand, brandOf } from './brand.js';
import { chooseLanguage } from './language.js';
import { type Language, type Texts, texts } from './texts.js';

const css = `
:root { color-scheme: light dark; --text: #1c2230; --faint: #4a5365; --page: #f3f4f7; --card: #fff; --line: #d5d9e2;
  --button: #2148b8; --on-button: #fff; --accent: #2148b8; --focus: #b35900; --bad: #a4262c; }
@media (prefers-color-scheme: dark) {
  :root { --text: #eceef3; --faint: #b9c0cf; --page: #14171f; --card: #1e222d; --line: #3a4152;
    --button: #9db7ff; --on-button: #10131a; --accent: #9db7ff; --focus: #ffc47a; --bad: #ff9c9c; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; min-height: 100vh; display: flex; align-items: center; justify-content: center;
  background: var(--page); color: var(--text); font: 1.0625rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 30rem; padding: 2rem 1.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 0.75rem; overflow-wrap: anywhere; }
.brand { margin: 0 0 1.25rem; color: var(--text); font-weight: 600; }
.brand img { display: block; max-width: 100%; max-height: 3.5rem; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0; color: var(--faint); }
strong { color: var(--text); }
form { margin: 1.5rem 0 0; }
button { width: 100%; min-height: 3rem; padding: 0.625rem 1rem; border: 1px solid var(--accent); border-radius: 0.5rem;
  background: var(--button); color: var(--on-button); font: inherit; font-weight: 600; cursor: pointer; }
button.quiet { background: transparent; color: var(--accent); }
fieldset { margin: 1.25rem 0 0; padding: 0; border: 0; }
label { display: flex; gap: 0.75rem; padding: 0.625rem 0; border-top: 1px solid var(--line); }
label small { display: block; color: var(--faint); font-size: 0.9375rem; }
input[type=checkbox] { flex: none; width: 1.25rem; height: 1.25rem; margin: 0.1875rem 0 0; accent-color: var(--accent); }
form + form { margin-top: 0.75rem; }
.saved { margin: 0 0 0.75rem; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; color: var(--text); }
.field { margin: 0 0 1rem; }
.field > label { display: block; padding: 0 0 0.25rem; border: 0; font-weight: 600; }
.field input:not([type=checkbox]), .field select, .field textarea { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem;
  border: 1px solid var(--faint); border-radius: 0.5rem; background: var(--card); color: var(--text); font: inherit; }
.field label.tick { display: flex; font-weight: 400; }
.field .bad { margin: 0.25rem 0 0; color: var(--bad); }
.consent { margin: 0 0 1rem; font-size: 0.9375rem; white-space: pre-line; }
.apart { position: absolute; left: -100vw; width: 1px; height: 1px; overflow: hidden; }
a:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible, button:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
`;

/** What a page may do beyond showing text and sending forms to itself. */
interface PageRights {
  /** It runs the scripts of this origin. */
  hasScript?: boolean;
  /** Origins of sites that may show it in a frame. */
  frames?: readonly string[];
  /** Origins that a form may redirect to. */
  formTargets?: readonly string[];
  /** How the workspace wants it to look. */
  branding?: Branding | null | undefined;
}

const cssHash = hash('sha256', css, 'base64');

function policyOf({ hasScript = false, frames = [], formTargets = [], branding }: PageRights): string {
  const brand = brandOf(branding);
  const styles = [`'sha256-${cssHash}'`, ...(brand?.css ? [brand.styleSource] : [])].join(' ');
  const images = brand?.imageSource ? ` img-src ${brand.imageSource};` : '';
  const scripts = hasScript ? " script-src 'self'; connect-src 'self';" : '';
  const targets = ["'self'", ...formTargets].join(' ');
  const ancestors = frames.length === 0 ? "'none'" : frames.join(' ');
  return `default-src 'none';${scripts}${images} style-src ${styles}; form-action ${targets}; base-uri 'none'; frame-ancestors ${ancestors}`;
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** The forms of a page. They post to the page's own address. */
interface Form {
  method: 'get' | 'post';
  isQuiet: boolean;
  /** A field of the form. */
  undo?: true;
  /** Everything, not only the message's topic. */
  all?: true;
}

type PageName = Exclude<keyof Texts, 'preferences'>;
const forms: Partial<Record<PageName, readonly Form[]>> = {
  unsubscribe: [{ method: 'post', isQuiet: false }],
  unsubscribed: [{ method: 'post', isQuiet: true, undo: true }],
  resubscribed: [{ method: 'get', isQuiet: true }],
  unsubscribeTopic: [{ method: 'post', isQuiet: false }],
  unsubscribedTopic: [
    { method: 'post', isQuiet: true, undo: true },
    { method: 'post', isQuiet: true, all: true },
  ],
  resubscribedTopic: [{ method: 'get', isQuiet: true }],
};

interface About {
  email: string;
  /** The name of the topic. */
  topic?: string;
  /** A page about everything, for a message that has a topic. */
  all?: boolean;
  branding?: Branding | null;
}

/** Sends a page in the language of the browser. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  name: PageName,
  about: About = { email: '' },
): FastifyReply {
  return send(request, reply, status, about.branding, (language) => {
    const words = texts[language][name];
    const labels = 'buttons' in words ? words.buttons : 'button' in words ? [words.button] : [];
    const offered = forms[name] ?? [];
    const rest = labels.map((label, i) => formOf(offered[i] as Form, label, about.all ?? false)).join('');
    return pageOf(
      language,
      fill(escapeHtml(words.title), about),
      `<p>${fill(escapeHtml(words.text), about)}</p>\n${rest}`,
      brandOf(about.branding),
    );
  });
}

/** Every topic that the person may see, with the person's current choice, and everything; saved by one POST. */
export function sendPreferences(
  request: FastifyRequest,
  reply: FastifyReply,
  preferences: Preferences,
  isSaved: boolean,
): FastifyReply {
  return send(request, reply, 200, preferences.branding, (language) => preferencePage(language, preferences, isSaved));
}

function preferencePage(
  language: Language,
  { email, isUnsubscribed, topics, branding }: Preferences,
  isSaved: boolean,
): string {
  const words = texts[language].preferences;
  const boxes = topics.map(({ topicId, name, description, isSubscribed }) =>
    boxOf(topicId, isSubscribed, name, description),
  );
  const everything = boxOf('all', isUnsubscribed, words.everything, words.everythingMore);
  return pageOf(
    language,
    escapeHtml(words.title),
    `${isSaved ? `<p class="saved" role="status">${escapeHtml(words.saved)}</p>\n` : ''}<p>${fill(escapeHtml(words.text), { email })}</p>
<form method="post">
<fieldset>${boxes.join('')}${everything}</fieldset>
<p><br><button type="submit">${escapeHtml(words.button)}</button></p></form>
`,
    brandOf(branding),
  );
}

/** A page as it would look on light and on dark screens, for those who choose colors. */
export function previewPages(branding: Branding, topics: Preferences['topics']): { light: string; dark: string } {
  const page = preferencePage('en', { email: 'ada@example.com', isUnsubscribed: false, topics, branding }, false);
  const shownOn = (screen: 'light' | 'dark') =>
    page
      .replace(/@media \(prefers-color-scheme: (\w+)\) \{([^{}]*\{[^{}]*\}\s*)\}/g, (_, of, rules) =>
        of === screen ? rules : '',
      )
      .replace('color-scheme: light dark', `color-scheme: ${screen}`);
  return { light: shownOn('light'), dark: shownOn('dark') };
}

function boxOf(id: string, isOn: boolean, name: string, more: string | null): string {
  const small = more ? `<small>${escapeHtml(more)}</small>` : '';
  return `<input type="hidden" name="was" value="${id}:${isOn ? 1 : 0}">
<label><input type="checkbox" name="on" value="${id}"${isOn ? ' checked' : ''}><span>${escapeHtml(name)}${small}</span></label>
`;
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  branding: Branding | null | undefined,
  pageIn: (language: Language) => string,
): FastifyReply {
  const language = chooseLanguage(request.headers['accept-language']);
  return sendHtml(reply, status, language, pageIn(language), { branding });
}

function sendHtml(
  reply: FastifyReply,
  status: number,
  language: Language,
  text: string,
  rights: PageRights = {},
): FastifyReply {
  return reply
    .code(status)
    .headers({ ...headers, 'content-security-policy': policyOf(rights) })
    .headers({
      'content-language': language,
      vary: [reply.getHeader('vary') ?? [], 'accept-language'].flat().join(', '),
    })
    .send(text);
}

/** A page of a feature above, in the same design. `content` is HTML; the title is not. */
export function sendOwnPage(
  reply: FastifyReply,
  status: number,
  language: Language,
  { title, content, ...rights }: { title: string; content: string } & PageRights,
): FastifyReply {
  const page = pageOf(language, escapeHtml(title), content, brandOf(rights.branding));
  return sendHtml(reply, status, language, page, rights);
}

/** Isolates text of another writing direction within a sentence. */
function fill(text: string, { email, topic = '' }: About): string {
  const strong = (word: string) => `<strong><bdi>${escapeHtml(word)}</bdi></strong>`;
  return text.replace(/\{(email|topic)\}/g, (_, name) => strong(name === 'email' ? email : topic));
}

function pageOf(language: Language, heading: string, content: string, brand: Brand | undefined): string {
  const title = heading.replace(/<[^>]*>/g, '');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${css}</style>${brand?.css ? `\n<style>${brand.css}</style>` : ''}
</head>
<body>
<main>
${brand?.head ?? ''}<h1>${heading}</h1>
${content}</main>
</body>
</html>
`;
}

function formOf({ method, isQuiet, undo, all }: Form, label: string, ofAll: boolean): string {
  const field = (name: string) => `<input type="hidden" name="${name}" value="1">`;
  const fields = method === 'post' ? (undo ? field('undo') : '') + (all || ofAll ? field('all') : '') : '';
  const look = isQuiet ? ' class="quiet"' : '';
  return `<form method="${method}">${fields}<button type="submit"${look}>${escapeHtml(label)}</button></form>\n`;
}
