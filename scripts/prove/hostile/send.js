import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';

/** @typedef {import('./sound.js').Request} Request */
/** @typedef {{ status: number, headers: Record<string, string | string[] | undefined>, text: string }} Answer */

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
// Milliseconds after which a missing response is given up.
const patience = 30_000;

/** @param {Request} request */
export function pathOf({ operation, at, query, path }) {
  const filled = path ?? operation.path.replace(/\{(\w+)\}/g, (_, name) => encoded(at[name] ?? 'none'));
  const text = query.map(([name, value]) => (name ? `${name}=${encodeURIComponent(sound(value))}` : value)).join('&');
  return text && !filled.includes('?') ? `${filled}?${text}` : filled;
}

// What a client would write as it is; the rest is spoilt on purpose.
const encoded = (/** @type {string} */ part) => (/^[\w.%;+'{}-]*$/.test(part) ? part : encodeURIComponent(sound(part)));
const sound = (/** @type {string} */ text) =>
  text.replace(/[\ud800-\udfff]/g, (half) => (text.isWellFormed?.() ? half : '\ufffd'));

/** @param {Pick<Request, 'body' | 'bytes'>} request */
export function bytesOf({ body, bytes }) {
  if (bytes !== undefined) return Buffer.from(bytes);
  if (body === undefined) return undefined;
  return Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));
}

/**
 * @param {string} url
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
export function send(url, request) {
  const path = pathOf(request);
  const isStrange = request.isRaw || /[^\x21-\x7e]/.test(path) || request.headers.expect === '100-continue';
  return isStrange ? sendRaw(url, request, path) : sendNormally(url, request, path);
}

/**
 * @param {string} url
 * @param {Request} request
 * @param {string} path
 * @returns {Promise<Answer>}
 */
function sendNormally(url, { method, headers, ...rest }, path) {
  const bytes = bytesOf(rest);
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length = bytes ? { 'content-length': bytes.length } : {};
    const sent = httpRequest(
      { hostname, port, method, path, agent, headers: { ...headers, ...length } },
      (response) => {
        /** @type {Buffer[]} */
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
          });
        });
        response.on('error', reject);
      },
    );
    sent.setTimeout(patience, () => sent.destroy(new Error(`no answer within ${patience} ms`)));
    sent.on('error', reject);
    sent.on('upgrade', (_, socket) => socket.destroy());
    sent.end(bytes);
  });
}

/**
 * Raw, on a separate connection that the service closes.
 * @param {string} url
 * @param {Request} request
 * @param {string} path
 * @returns {Promise<Answer>}
 */
function sendRaw(url, { method, headers, ...rest }, path) {
  const bytes = bytesOf(rest) ?? Buffer.alloc(0);
  const { hostname, port } = new URL(url);
  const lines = Object.entries({ host: 'rapport', ...headers, 'content-length': bytes.length, connection: 'close' });
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    /** @type {Buffer[]} */
    const parts = [];
    socket.setTimeout(patience, () => socket.destroy(new Error(`no answer within ${patience} ms`)));
    socket.on('error', (error) => (parts.length ? undefined : reject(error)));
    socket.on('data', (part) => parts.push(part));
    socket.on('close', () => {
      const answer = Buffer.concat(parts)
        .toString('latin1')
        .replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '');
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
      if (!status) reject(new Error('closed without an answer'));
      const [top = '', ...rest] = answer.split('\r\n\r\n');
      const headers = headersOf(top);
      const body = rest.join('\r\n\r\n');
      const whole = headers['transfer-encoding'] === 'chunked' ? withoutChunks(body) : body;
      resolve({ status, headers, text: Buffer.from(whole, 'latin1').toString() });
    });
    socket.write(Buffer.from(head, 'latin1'));
    socket.write(bytes);
  });
}

/** @param {string} body One character per byte. */
function withoutChunks(body) {
  let text = '';
  for (let at = 0; ; ) {
    const [line = '', size = ''] = /^([\da-f]+)[^\r]*\r\n/i.exec(body.slice(at, at + 100)) ?? [];
    const length = Number.parseInt(size, 16);
    if (!(length > 0)) return text;
    text += body.slice(at + line.length, at + line.length + length);
    at += line.length + length + 2;
  }
}

/** @param {string} top */
function headersOf(top) {
  const lines = top
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(/: ?(.*)/));
  return Object.fromEntries(lines.map(([name = '', value]) => [name.toLowerCase(), value]));
}
