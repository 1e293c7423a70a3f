// A mail server that accepts everything as fast as it can and keeps only what it must: how many messages, and which Message-IDs.
// Benches and proofs run it as a separate process, so that it does not share an event loop with what it measures:
//
//   node bench/smtp-sink.js '{"port":0,"keep":true}'
//
// The first line of its standard output is `{"port":2525}`. After that it answers each line of its standard input with one:
// `count` → `{"messages":2,"bytes":9321,"connections":1}`, `ids` → `{"ids":["<a@x>","<a@x>"],"over":[1,2]}` as they came, and over which connection, `reset` → `{}`.
// With `keepLinks`, `mails 0` → `[{"id":"<a@x>","to":"a@x","begun":1763447112000,"links":["/t/u/…"]}]`: those from that number on, when the
// conversation about each began, and the links to the service that it has.
// It ends when its standard input does.
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [cr, lf] = [13, 10];
const endOfData = Buffer.from('\r\n.\r\n');
const endOfHead = Buffer.from('\r\n\r\n');
/** Longer than any header that is read. */
const mostHead = 64 * 1024;
const greeting = '220 sink ESMTP\r\n';
const extensions = '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n';

/**
 * @typedef {object} SinkOptions
 * @property {number} [port] 0, the default: any free one.
 * @property {boolean} [keep] Keep the Message-ID of every message.
 * @property {boolean} [keepLinks] Keep also to whom it went, when, and its links.
 * @property {(command: string) => string | undefined} [answer] Another reply to a command, without its line end.
 */

/**
 * @typedef {{ id: string, to: string, begun: number, links: string[] }} Mail
 * @typedef {{ messages: number, bytes: number, connections: number, ids: string[], over: number[], mails: Mail[] | undefined }} Taken
 */

/** @param {SinkOptions} options */
async function startSink({ port = 0, keep = false, keepLinks = false, answer } = {}) {
  /** @type {Taken} */
  const taken = { messages: 0, bytes: 0, connections: 0, ids: [], over: [], mails: keepLinks ? [] : undefined };
  const sockets = new Set();
  const server = createServer({ noDelay: true }, (socket) => {
    taken.connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    converse(socket, taken, keep, answer);
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  const { port: actual } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: actual, taken, close };
}

/**
 * @param {import('node:net').Socket} socket
 * @param {Taken} taken
 * @param {boolean} keep
 * @param {SinkOptions['answer']} answer
 */
function converse(socket, taken, keep, answer) {
  let isData = false;
  const connection = taken.connections;
  /** Received bytes that are not processed yet: part of a command, or what could be the start of the end of a message. */
  let rest = Buffer.alloc(0);
  let head = '';
  let text = '';
  let [to, begun] = ['', 0];
  socket.write(greeting);
  socket.on('data', (chunk) => {
    let at = 0;
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let replies = '';
    for (;;) {
      if (isData) {
        const end = bytes.indexOf(endOfData, at);
        // Four bytes may be the start of the end; they are looked at again with the next chunk.
        const until = end < 0 ? Math.max(at, bytes.length - (endOfData.length - 1)) : end;
        taken.bytes += until - at;
        if (keep && head.length < mostHead && !head.includes('\r\n\r\n')) head += headOf(bytes, at, until);
        if (taken.mails) text += bytes.toString('latin1', at, until);
        at = end < 0 ? until : end + endOfData.length;
        if (end < 0) break;
        isData = false;
        taken.messages++;
        if (keep) {
          taken.ids.push(messageIdOf(head));
          taken.over.push(connection);
        }
        taken.mails?.push({ id: messageIdOf(head), to, begun, links: linksIn(text) });
        head = '';
        text = '';
        replies += `250 2.0.0 Ok: queued as ${taken.messages.toString(36)}\r\n`;
      } else {
        const end = bytes.indexOf(lf, at);
        if (end < 0) break;
        const command = bytes.toString('latin1', at, end > at && bytes[end - 1] === cr ? end - 1 : end);
        at = end + 1;
        if (taken.mails && /^MAIL/i.test(command)) begun = Date.now();
        else if (taken.mails) to = /^RCPT TO:<([^>]*)>/i.exec(command)?.[1] ?? to;
        const reply = answer?.(command) ?? replyTo(command);
        isData = reply.startsWith('354');
        // The end of the command is the start of the end of an empty message.
        if (isData && bytes[end - 1] === cr) at = end - 1;
        replies += reply.endsWith('\r\n') ? reply : `${reply}\r\n`;
      }
    }
    rest = at < bytes.length ? bytes.subarray(at) : Buffer.alloc(0);
    if (replies) socket.write(replies);
    if (replies.includes('221 bye')) socket.end();
  });
}

/**
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} until
 */
function headOf(bytes, at, until) {
  const end = bytes.indexOf(endOfHead, at);
  return bytes.toString('latin1', at, end < 0 || end > until ? until : end + endOfHead.length);
}

/** @param {string} head */
function messageIdOf(head) {
  return /^message-id:\s*(\S+)/im.exec(head)?.[1] ?? '';
}

/** In a body that may be quoted-printable. @param {string} text */
function linksIn(text) {
  const plain = text.replace(/=\r\n/g, '').replaceAll('=3D', '=');
  return [...new Set([...plain.matchAll(/https?:\/\/[^/\s"]+(\/t\/[a-z]\/[\w-]+)/g)].map(([, path]) => path ?? ''))];
}

/** @param {string} command */
function replyTo(command) {
  switch (command.slice(0, 4).toUpperCase()) {
    case 'EHLO':
      return extensions;
    case 'DATA':
      return '354 go on';
    case 'QUIT':
      return '221 bye';
    case 'HELO':
    case 'MAIL':
    case 'RCPT':
    case 'RSET':
    case 'NOOP':
      return '250 2.0.0 Ok';
    default:
      return '502 5.5.2 what?';
  }
}

async function main() {
  const sink = await startSink(JSON.parse(process.argv[2] ?? '{}'));
  const say = (/** @type {object} */ answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
  say({ port: sink.port });
  const { taken } = sink;
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'count') say({ messages: taken.messages, bytes: taken.bytes, connections: taken.connections });
    else if (line === 'ids') say({ ids: taken.ids, over: taken.over });
    else if (line.startsWith('mails ')) say(taken.mails?.slice(Number(line.slice(6))) ?? []);
    else if (line === 'reset') {
      Object.assign(taken, { messages: 0, bytes: 0, ids: [], over: [], mails: taken.mails && [] });
      say({});
    } else say({ error: 'count, ids, mails or reset' });
  }
  await sink.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
