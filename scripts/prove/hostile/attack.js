// What an attack is, and how to make one.
import { setTimeout as sleep } from 'node:timers/promises';
import { bombard } from './mail.js';

/**
 * `prepare` creates what it needs; `run` is the attack, and returns a description of the result. An error is a problem.
 * @typedef {import('./attacker.js').Attacker & { bounces: { port: number, to: string } }} Attacker
 * @typedef {{ name: string, prepare?: (attacker: Attacker) => Promise<void>, run: (attacker: Attacker) => Promise<string> }} Attack
 */

export const MiB = 1024 * 1024;
// Milliseconds that sockets are held open.
export const holding = 1500;

/**
 * @param {number} count
 * @param {(i: number) => string} item
 */
export const many = (count, item) => Array.from({ length: count }, (_, i) => item(i)).join();

/**
 * Throws if a response has a status other than these.
 * @param {{ status: number, text: string, size: number }[]} answers
 * @param {number[]} statuses
 */
export function expectOnly(answers, ...statuses) {
  const counts = new Map();
  for (const { status, text, size } of answers) {
    if (!statuses.includes(status)) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
    if (status >= 400 && size > 10_000) throw new Error(`a refusal of ${size} bytes`);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

/**
 * @param {number} count
 * @param {(i: number) => string | [string, Buffer]} say
 */
export const shouting = (count, say) => async (/** @type {Attacker} */ attacker) => {
  for (let i = 0; i < count; i++) attacker.shout(...[say(i)].flat());
  await sleep(holding);
  const left = attacker.sockets.size;
  attacker.hangUp();
  return `${left} of ${count} sockets still open`;
};

/** @param {string} path */
export const get = (path, headers = '') => `GET ${path} HTTP/1.1\r\nHost: rapport\r\n${headers}\r\n`;

/**
 * A body that lacks only its end.
 * @param {string} path
 * @param {number} size
 * @param {string} headers
 * @returns {[string, Buffer]}
 */
export const unfinished = (path, size, headers) => [
  `POST ${path} HTTP/1.1\r\nHost: rapport\r\n${headers}Content-Length: ${size}\r\n\r\n`,
  Buffer.alloc(size - 1024, 'x'),
];

/**
 * The same body several times, one after the other.
 * @param {string} name
 * @param {string} path
 * @param {() => string} make
 * @param {number[]} statuses
 * @returns {Attack}
 */
export function body(name, path, make, ...statuses) {
  let text = '';
  return {
    name,
    prepare: async () => {
      text = make();
    },
    run: async (attacker) => {
      const answers = [];
      for (let i = 0; i < 3; i++) answers.push(await attacker.call('POST', path, text));
      await attacker.applied();
      return expectOnly(answers, ...statuses);
    },
  };
}

/**
 * @param {string} name
 * @param {string} html
 * @returns {Attack}
 */
export function template(name, html) {
  /** @type {string} */
  let id;
  let n = 0;
  return {
    name: `template: ${name}`,
    prepare: async (attacker) => {
      id = await attacker.makeEmail('<p>{{email}}');
    },
    run: async (attacker) => {
      // A different one each time: a template that was killed is refused at once when it comes again.
      const fresh = `${html}<!-- ${++n} -->`;
      const saved = expectOnly([await attacker.createEmail(fresh)], 200, 400);
      const shown = expectOnly(
        [await attacker.call('POST', `/v2/emails/${id}/preview`, { draft: { html: fresh } })],
        200,
        400,
      );
      return `saved ${saved}, shown ${shown}`;
    },
  };
}

export const capture = (/** @type {string} */ text, /** @type {string} */ filters) =>
  `{% capture x %}${text}{% endcapture %}{% assign y = x ${filters} %}`;
export const contactWith = (/** @type {string} */ properties) => `{"email":"a@b.example","properties":{${properties}}}`;
export const batchOf = (/** @type {(contact: number, property: number) => string} */ key) =>
  `{"contacts":[${many(1000, (c) => `{"email":"k${c}@b.example","properties":{${many(500, (p) => `"${key(c, p)}":${c % 7}`)}}}`)}]}`;

/**
 * A body in chunks of one byte, for as long as the service listens.
 * @param {string} name
 * @param {(attacker: Attacker) => string} head
 * @param {number[]} statuses
 * @returns {Attack}
 */
export function dust(name, head, ...statuses) {
  const chunks = '1\r\nx\r\n'.repeat(100_000);
  const one = async (/** @type {Attacker} */ attacker) => {
    let status = 0;
    let sent = 0;
    for await (const socket of attacker.trickle(
      `${head(attacker)}Host: rapport\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )) {
      if (typeof socket === 'number') status = socket;
      else if (sent > 10 * MiB) socket.end('0\r\n\r\n');
      else if (socket.writableLength < MiB && socket.writable) {
        socket.write(chunks);
        sent += 100_000;
      }
      await sleep(5);
    }
    return { status, text: '', size: 0 };
  };
  return {
    name: `chunks of a byte: ${name}`,
    run: async (attacker) => {
      // A client that is cut off halfway may get no response.
      const answers = await Promise.all(Array.from({ length: 5 }, () => one(attacker)));
      return expectOnly(answers, 0, ...statuses);
    },
  };
}

/** @param {string} path @param {string} form */
export const postForm = (path, form) =>
  `POST ${path} HTTP/1.1\r\nHost: rapport\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;

/**
 * Forty mails over ten connections.
 * @param {{ port: number, to: string }} target
 * @param {string} text
 */
export async function mailsOf(target, text, type = 'multipart/report; boundary=b') {
  const mail = `From: mailer-daemon@example.net\r\nContent-Type: ${type}\r\n\r\n${text}`;
  const said = await Promise.all(Array.from({ length: 10 }, () => bombard({ ...target, mail, count: 4 })));
  const answers = said.flat().map((code) => ({ status: Number(code), text: code, size: 0 }));
  return expectOnly(answers, 250, 451);
}
