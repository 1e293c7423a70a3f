// The call of a webhook step. Where it may go is decided when it leaves: names resolve to other addresses tomorrow.
import { journeyLimits, webhookMethods } from '@rapport/contract';
import { FilterFault, readDuration, readObject, readOneOf, readText } from '../../filter-language/index.js';
import type { Step } from './definition.js';
import type { Part } from './part.js';

type Webhook = Extract<Step, { type: 'webhook' }>;

const defaultTimeoutMs = 10_000;
const limits = journeyLimits;

export function readCall(part: Part): Pick<Webhook, 'url' | 'method' | 'headers' | 'body' | 'timeoutMs'> {
  const method = part.optional('method', readOneOf(webhookMethods)) ?? 'POST';
  const body = part.optional('body', (value, place) => readText(value, place, limits.bodyCharacters));
  if (body !== undefined && method === 'GET') part.faults.add(part.placeOf('body'), 'a GET has no body');
  return {
    url: part.wanted('url', readUrl, ''),
    method,
    headers: part.optional('headers', readHeaders) ?? {},
    body,
    timeoutMs: part.optional('timeout', readTimeout) ?? defaultTimeoutMs,
  };
}

function readUrl(value: unknown, place: string): string {
  const text = readText(value, place, limits.url);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new FilterFault(place, 'an address that begins with https:// or http:// is wanted');
  }
  if (url.username !== '' || url.password !== '') {
    throw new FilterFault(place, 'an address without a user and a password is wanted; send those as a header');
  }
  return text;
}

function readTimeout(value: unknown, place: string): number {
  const { ms } = readDuration(value, place);
  if (ms > limits.webhookMs) throw new FilterFault(place, 'a webhook is waited for at most 30 seconds (PT30S)');
  return ms;
}

// RFC 9110: a token, and visible characters with blanks between them.
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const visible = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Those that the connection makes itself, and those that sign the call. */
const own = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function readHeaders(value: unknown, place: string): Record<string, string> {
  const entries = Object.entries(readObject(value, place));
  if (entries.length > limits.headers) throw new FilterFault(place, `at most ${limits.headers} headers are wanted`);
  const seen = new Set<string>();
  for (const [name, text] of entries) {
    const at = `${place}[${JSON.stringify(name.slice(0, limits.headerName))}]`;
    const lower = name.toLowerCase();
    if (name.length > limits.headerName || !token.test(name)) {
      throw new FilterFault(
        at,
        `no header can have this name; one has 1 to ${limits.headerName} letters, digits and dashes`,
      );
    }
    if (own.has(lower) || lower.startsWith('webhook-') || lower.startsWith('proxy-')) {
      throw new FilterFault(at, 'the service writes this header itself');
    }
    if (seen.has(lower)) throw new FilterFault(at, 'this header is there already');
    seen.add(lower);
    if (typeof text !== 'string' || text.length > limits.headerValue || !visible.test(text)) {
      throw new FilterFault(
        at,
        `a text of 1 to ${limits.headerValue.toLocaleString('en')} visible ASCII characters is wanted`,
      );
    }
  }
  return Object.fromEntries(entries) as Record<string, string>;
}
