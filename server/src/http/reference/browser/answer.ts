// A response for people: its status, how long it took, the headers, the body.
import { make } from './dom.js';
import type { TriedAnswer } from './request.js';

const meanings: Record<number, string> = {
  401: 'The token is unknown, revoked or expired.',
  403: 'The token lacks the required scope or role.',
  429: 'The workspace is over its rate limit. Wait a moment.',
};

export function showAnswer(into: HTMLElement, answer: TriedAnswer): void {
  const { status, statusText, took, headers, text, isCut } = answer;
  const tone = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad';
  const meaning = meanings[status];
  into.replaceChildren(
    make(
      'p',
      { class: 'outcome', role: 'status' },
      make('span', { class: `badge ${tone}` }, `${status} ${statusText}`.trim()),
      make('span', {}, `${Math.round(took)} ms`),
      make('span', {}, `${sizeOf(text)}${isCut ? ', truncated' : ''}`),
    ),
    ...(meaning ? [make('p', { class: 'fault' }, meaning)] : []),
    headersOf(headers),
    ...(text === '' ? [] : [bodyOf(text)]),
  );
}

export function showFailure(into: HTMLElement, reason: string): void {
  into.replaceChildren(make('p', { class: 'fault', role: 'alert' }, reason));
}

function sizeOf(text: string): string {
  if (text === '') return 'no body';
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} KB`;
}

function headersOf(headers: [string, string][]): HTMLElement {
  const list = headers.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]);
  return make('details', {}, make('summary', {}, 'Headers'), make('dl', { class: 'headers' }, ...list));
}

function bodyOf(text: string): HTMLElement {
  const title = make('span', {}, 'Body');
  const copy = make('button', { type: 'button', class: 'copy' }, 'Copy');
  // It scrolls, so the keyboard must reach it.
  const pre = make('pre', { tabindex: '0', 'aria-label': 'Response body' }, make('code', {}, ...paint(pretty(text))));
  return make('figure', { class: 'code' }, make('figcaption', {}, title, copy), pre);
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const tokens =
  /("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;
const classes = ['key', 'str', 'num', 'lit'];

function paint(text: string): (Node | string)[] {
  // Tens of thousands of elements would make the page slow, just for colours.
  if (text.length > 100_000 || !/^[[{]/.test(text)) return [text];
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const kind = classes[match.slice(1).findIndex((group) => group !== undefined)];
    parts.push(text.slice(end, match.index), make('span', { class: kind }, match[0]));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}
