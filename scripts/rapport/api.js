// Calls to a running service, and its refusals in words that say what to do next.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Something a person can act on: shown without a stack. */
export class Complaint extends Error {}

/** @typedef {{ url: string, token: string }} Service */
/** @typedef {{ status: number, headers: Record<string, any>, text: string }} Answer */

const patienceMs = 30_000;

/**
 * Sends a stream as the body of a POST. An answer that comes before the end of it stops the sending.
 * @param {Service} service
 * @param {{ path: string, type: string, source: import('node:stream').Readable, size?: number, onSent: (bytes: number) => void }} upload
 * @returns {Promise<Answer>}
 */
export async function send({ url, token }, { path, type, source, size, onSent }) {
  const start = url.startsWith('https:') ? requestHttps : requestHttp;
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': type,
    ...(size === undefined ? {} : { 'content-length': size }),
  };
  const request = start(`${url}${path}`, { method: 'POST', headers });
  const answered = new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => readAll(response).then(resolve, reject));
  });
  let sent = 0;
  const meter = new Transform({
    transform(piece, _encoding, done) {
      sent += piece.length;
      onSent(sent);
      done(null, piece);
    },
  });
  const sending = pipeline(source, meter, request);
  try {
    // A source that cannot be read is heard at once; a connection that broke may have brought an answer before.
    await Promise.race([
      answered,
      sending.then(
        () => answered,
        (error) => (error.path ? Promise.reject(error) : answered),
      ),
    ]);
    return await answered;
  } finally {
    source.destroy();
    sending.catch(() => undefined);
  }
}

/** @param {import('node:http').IncomingMessage} response */
async function readAll(response) {
  let text = '';
  response.setEncoding('utf8');
  for await (const piece of response) text += piece;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/**
 * Reads a path. Waits while the service is over its budget or restarting.
 * @param {Service} service
 * @param {string} path
 * @returns {Promise<Response>}
 */
export async function read({ url, token }, path) {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      if (response.ok) return response;
      const text = await response.text();
      const passes = response.status === 429 || response.status === 503;
      if (!passes || performance.now() > giveUpAt) throw refusal({ status: response.status, text }, url);
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
    } catch (error) {
      if (error instanceof Complaint || performance.now() > giveUpAt) throw unreachable(error, url);
      await sleep(500);
    }
  }
}

/**
 * @param {{ status: number, text: string }} answer
 * @param {string} url
 */
export function refusal({ status, text }, url) {
  if (status === 401)
    return new Complaint(`${url} does not know this token. Give another with --token or RAPPORT_TOKEN.`);
  if (status === 403) return new Complaint('This token lacks a scope: importing needs WRITE, and READ to follow it.');
  if (status === 429)
    return new Complaint('The tenant is over its rate limit. Wait a little and run the command again.');
  return new Complaint(messageOf(text) ?? `The service answered ${status}. Is it Rapport that listens at ${url}?`);
}

/** @param {string} text */
function messageOf(text) {
  try {
    return JSON.parse(text)
      .errors.map((/** @type {{ message: string }} */ error) => error.message)
      .join('\n');
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} error
 * @param {string} url
 */
export function unreachable(error, url) {
  if (error instanceof Complaint) return error;
  const { code, cause } = /** @type {NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException }} */ (error);
  const reason = code ?? cause?.code ?? '';
  if (['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(reason)) {
    return new Complaint(
      `The connection to ${url} broke. Run the command again: rows that are there stay as they are.`,
    );
  }
  return new Complaint(
    `No service answers at ${url}${reason ? ` (${reason})` : ''}. Start one with npm start, or name it with --url or RAPPORT_URL.`,
  );
}
