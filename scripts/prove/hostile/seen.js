// What was seen to stop the service for everybody, and more of the same kind. Each ends in a clear answer, and takes long enough
// that a second tenant has something to say about it. Issue 10 has the figures of that day.
import { setTimeout as sleep } from 'node:timers/promises';
import { bombard } from './mail.js';

/**
 * `prepare` makes what it needs; `run` is the attack, and answers what came of it. What throws is a problem.
 * @typedef {import('./attacker.js').Attacker & { bounces: { port: number, to: string } }} Attacker
 * @typedef {{ name: string, prepare?: (attacker: Attacker) => Promise<void>, run: (attacker: Attacker) => Promise<string> }} Attack
 */

const MiB = 1024 * 1024;
// Milliseconds that sockets are held open.
const holding = 1500;

/**
 * @param {number} count
 * @param {(i: number) => string} item
 */
const many = (count, item) => Array.from({ length: count }, (_, i) => item(i)).join();

/**
 * Throws when an answer has another status than these.
 * @param {{ status: number, text: string, size: number }[]} answers
 * @param {number[]} statuses
 */
function expectOnly(answers, ...statuses) {
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
const shouting = (count, say) => async (/** @type {Attacker} */ attacker) => {
  for (let i = 0; i < count; i++) attacker.shout(...[say(i)].flat());
  await sleep(holding);
  const left = attacker.sockets.size;
  attacker.hangUp();
  return `${left} of ${count} sockets still open`;
};

/** @param {string} path */
const get = (path, headers = '') => `GET ${path} HTTP/1.1\r\nHost: rapport\r\n${headers}\r\n`;

/**
 * A body of which only the end is missing.
 * @param {string} path
 * @param {number} size
 * @param {string} headers
 * @returns {[string, Buffer]}
 */
const unfinished = (path, size, headers) => [
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
function body(name, path, make, ...statuses) {
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
function template(name, html) {
  /** @type {string} */
  let id;
  let n = 0;
  return {
    name: `template: ${name}`,
    prepare: async (attacker) => {
      id = await attacker.makeEmail('<p>{{email}}');
    },
    run: async (attacker) => {
      // Another one each time: what had to be ended is refused at once when it comes again.
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

const capture = (/** @type {string} */ text, /** @type {string} */ filters) =>
  `{% capture x %}${text}{% endcapture %}{% assign y = x ${filters} %}`;
const contactWith = (/** @type {string} */ properties) => `{"email":"a@b.example","properties":{${properties}}}`;
const batchOf = (/** @type {(contact: number, property: number) => string} */ key) =>
  `{"contacts":[${many(1000, (c) => `{"email":"k${c}@b.example","properties":{${many(500, (p) => `"${key(c, p)}":${c % 7}`)}}}`)}]}`;

/**
 * A body in chunks of a byte, for as long as anybody listens.
 * @param {string} name
 * @param {(attacker: Attacker) => string} head
 * @param {number[]} statuses
 * @returns {Attack}
 */
function dust(name, head, ...statuses) {
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
      // Who is cut off in the middle may hear nothing.
      const answers = await Promise.all(Array.from({ length: 5 }, () => one(attacker)));
      return expectOnly(answers, 0, ...statuses);
    },
  };
}

/** @param {string} path @param {string} form */
const postForm = (path, form) =>
  `POST ${path} HTTP/1.1\r\nHost: rapport\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;

/** Those that only the long proof tries: each is like one that was seen. */
const variants = new Set([
  '20 sockets ask for the OpenAPI document and never read',
  'template: the same with concat',
  'template: nested loops',
  'a million items',
  '500,000 keys of one contact',
  'a million arrays',
  '500,000 small objects',
  '1,000 contacts with the same 500 properties',
  'chunks of a byte: an import',
  'chunks of a byte: at the sign-in page',
  '20 sockets ask for the sign-in page and never read',
  '120 sockets post most of a sign-in and wait',
  '40 sending domains of one tenant at once',
  'mails of tags to the listener for bounces',
]);

/** @param {Attack} attack */
export const wasSeen = ({ name }) => !variants.has(name);

/** @type {Attack[]} */
export const attacks = [
  {
    name: '20 sockets ask for /docs and never read',
    run: shouting(20, (i) => get('/docs').repeat(i % 2 ? 100 : 5000)),
  },
  {
    name: '20 sockets ask for the OpenAPI document and never read',
    run: shouting(20, () => get('/openapi/v2.json', 'Accept-Encoding: identity\r\n').repeat(100)),
  },
  {
    name: '20 sockets ask for fat pages and never read',
    prepare: async (attacker) => {
      const properties = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, 'x'.repeat(1000)]));
      const contacts = Array.from({ length: 200 }, (_, i) => ({ email: `fat${i}@example.com`, properties }));
      await attacker.call('POST', '/v2/contacts/batch', { contacts });
      await attacker.applied();
    },
    run: async (attacker) =>
      shouting(20, () => get('/v2/contacts?pageSize=200', attacker.bearer).repeat(100))(attacker),
  },
  {
    name: '20 connections read fat pages as fast as they can',
    run: async (attacker) => {
      const until = performance.now() + holding;
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const own = [];
          while (performance.now() < until) own.push(await attacker.call('GET', '/v2/contacts?pageSize=200'));
          return own;
        }),
      );
      return expectOnly(answers.flat(), 200, 503);
    },
  },
  template(
    'a list that doubles 60 times',
    '{% assign e = "" | split: "," %}{% assign a = e %}{% for i in (1..60) %}{% assign a = e | push: a | push: a %}{% endfor %}{{ a }}',
  ),
  template(
    'the same with concat',
    '{% assign a = "x" | split: "," %}{% for i in (1..60) %}{% assign a = a | concat: a %}{% endfor %}{{ a }}',
  ),
  template('url_encode a hundred times', capture('%'.repeat(10_000), '| url_encode '.repeat(100))),
  template('where on 2 M characters', capture('a'.repeat(2_000_000), '| split: "" | where: "a.b.c"')),
  template('sort three hundred times', capture('ab'.repeat(200_000), `| split: "" ${'| sort: "y" '.repeat(300)}`)),
  template('230,000 breaks behind a raw brace', `{% raw %}{{{% endraw %}${'{%break%}'.repeat(230_000)}`),
  template('nested loops', '{% for a in (1..9999) %}{% for b in (1..9999) %}x{% endfor %}{% endfor %}'),
  body('5 million items', '/v2/lists/x/members', () => `{"contactIds":[${many(5_000_000, () => '1')}]}`, 400),
  body('a million items', '/v2/lists/x/members', () => `{"contactIds":[${many(1_000_000, (i) => `"${i}"`)}]}`, 400),
  body('a million broken texts', '/v2/lists/x/members', () => `{"contactIds":[${many(1e6, () => '"\\ud800"')}]}`, 400),
  body('690,000 keys', '/v2/contacts', () => contactWith(many(690_000, (i) => `"k${i}":1`)), 400),
  body('500,000 keys of one contact', '/v2/contacts', () => contactWith(many(500_000, (i) => `"k${i}":1`)), 400),
  body('a million arrays', '/v2/contacts', () => contactWith(`"a":[${many(500_000, () => '[]')}]`), 400),
  body('500,000 small objects', '/v2/events', () => `{"events":[${many(500_000, (i) => `{"k${i}":1}`)}]}`, 400),
  body('1,000 contacts with the same 500 properties', '/v2/contacts/batch', () => batchOf((_, p) => `s${p}`), 200),
  body(
    '1,000 contacts with 500 properties, no two alike',
    '/v2/contacts/batch',
    () => batchOf((c, p) => `k${c}_${p}`),
    200,
  ),
  {
    name: '120 sockets post most of a preview and wait',
    run: shouting(120, () =>
      unfinished(
        '/console/preview',
        12 * MiB,
        'Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n',
      ),
    ),
  },
  {
    name: '120 sockets with a token post most of a batch and wait',
    run: async (attacker) =>
      shouting(120, () =>
        unfinished('/v2/contacts/batch', 10 * MiB, `${attacker.bearer}Content-Type: application/json\r\n`),
      )(attacker),
  },
  {
    name: 'test sends of nested quotes',
    run: async (attacker) => {
      const html = `${'<blockquote>'.repeat(190)}<pre>${'a\n'.repeat(250_000 + Math.floor(Math.random() * 1000))}`;
      return expectOnly([await attacker.createEmail(html)], 200, 400, 413);
    },
  },
  {
    name: 'a list that starts at 10,000 in Roman numbers',
    run: async (attacker) =>
      expectOnly([await attacker.createEmail('<ol type="i" start="10000"><li>one</li></ol>')], 200),
  },
  {
    name: 'sixteen keyed test sends at a mail server that hangs',
    run: async (attacker) => {
      const id = await attacker.makeEmail('<p>Hello');
      const send = (/** @type {number} */ i) =>
        attacker.call(
          'POST',
          `/v2/emails/${id}/test-send`,
          { to: 'a@example.org' },
          { 'idempotency-key': `${id}-${i}` },
        );
      // 502 says that the mail server did not take it: the one failure that is not ours.
      return expectOnly(await Promise.all(Array.from({ length: 16 }, (_, i) => send(i))), 502, 503);
    },
  },
  {
    name: 'folders deleted while emails are filed in them',
    run: async (attacker) => {
      const id = await attacker.makeEmail('<p>Hello');
      const race = async () => {
        const made = await attacker.call('POST', '/v2/folders', { name: `F ${Math.random()}` });
        const folderId = JSON.parse(made.text).data.directoryId;
        // Nothing is rendered for this change: it is as fast as what it races with.
        return Promise.all([
          attacker.call('PATCH', `/v2/emails/${id}`, { folderId }),
          sleep(Math.random() * 4).then(() => attacker.call('DELETE', `/v2/folders/${folderId}`)),
        ]);
      };
      const answers = [];
      for (let i = 0; i < 15; i++) answers.push(...(await Promise.all(Array.from({ length: 8 }, race))).flat());
      return expectOnly(answers, 200, 400, 404, 409);
    },
  },
  {
    name: 'an organization changed behind a backlog',
    run: async (attacker) => {
      const orgId = `org-${Math.random()}`;
      await attacker.call('POST', '/v2/organizations', { orgId, name: 'O' });
      const event = (/** @type {number} */ i) => ({
        userId: `u${i}`,
        eventName: 'e',
        eventDate: new Date().toISOString(),
        eventId: `${orgId} ${i}`,
      });
      const events = Array.from({ length: 500 }, (_, i) => event(i));
      await Promise.all(Array.from({ length: 40 }, () => attacker.call('POST', '/v2/events', { events })));
      const at = performance.now();
      const answer = expectOnly([await attacker.call('PATCH', `/v2/organizations/${orgId}`, { name: 'P' })], 200, 503);
      const ms = performance.now() - at;
      if (ms > 10_000) throw new Error(`waited ${Math.round(ms)} ms`);
      return `${answer} after ${Math.round(ms)} ms`;
    },
  },
  dust(
    'with a token',
    ({ bearer }) => `POST /v2/contacts/batch HTTP/1.1\r\n${bearer}Content-Type: application/json\r\n`,
    400,
  ),
  dust('with a wrong token', () => 'POST /v2/lists HTTP/1.1\r\nAuthorization: Bearer x\r\n', 401),
  dust('an import', ({ bearer }) => `POST /v2/contacts/import HTTP/1.1\r\n${bearer}Content-Type: text/csv\r\n`, 400),
  dust(
    'at the sign-in page',
    () => 'POST /oauth/sign-in HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n',
    400,
    413,
  ),
  {
    name: 'a hundred imports that trickle',
    run: async (attacker) => {
      const head = `POST /v2/contacts/import HTTP/1.1\r\nHost: rapport\r\n${attacker.bearer}Content-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const rows = Array.from({ length: 100 }, (_, i) => `t${i}@example.com\n`).join('');
      const chunk = (/** @type {string} */ text) => `${text.length.toString(16)}\r\n${text}\r\n`;
      const until = performance.now() + 2 * holding;
      const one = async () => {
        for await (const socket of attacker.trickle(head + chunk('email\n'))) {
          if (typeof socket === 'number') return { status: socket, text: '', size: 0 };
          if (performance.now() > until) break;
          if (socket.writable && socket.writableLength < MiB) socket.write(chunk(rows));
          await sleep(50);
        }
        return { status: 0, text: '', size: 0 };
      };
      const answers = await Promise.all(Array.from({ length: 100 }, one));
      attacker.hangUp();
      return expectOnly(answers, 0, 503);
    },
  },
  {
    name: '20 sockets ask for files of the console and never read',
    run: async (attacker) => {
      const { text } = await attacker.call('GET', '/console');
      const files = Array.from(text.matchAll(/"(\/console\/assets\/[^"]+)"/g), ([, file]) => file ?? '');
      if (files.length === 0) throw new Error('the console has no files');
      return shouting(20, (i) => get(files[i % files.length] ?? '', 'Accept-Encoding: identity\r\n').repeat(100))(
        attacker,
      );
    },
  },
  {
    name: '20 sockets ask for the sign-in page and never read',
    run: shouting(20, () => get('/oauth/sign-in').repeat(100)),
  },
  {
    name: '200 sign-ins at once with a wrong password',
    run: shouting(200, (i) => postForm('/oauth/sign-in', `email=nobody${i}%40example.com&password=${'x'.repeat(200)}`)),
  },
  {
    name: '120 sockets post most of a sign-in and wait',
    run: shouting(120, () =>
      unfinished('/oauth/sign-in', 10 * MiB, 'Content-Type: application/x-www-form-urlencoded\r\n'),
    ),
  },
  {
    name: 'the sending domains of 12 tenants at once',
    run: async (attacker) => {
      const tenants = [];
      for (let i = 0; i < 12; i++)
        tenants.push((await attacker.administer('POST', '/admin/tenants', { name: `T${i}` })).data.tenantId);
      const add = (/** @type {number} */ id) =>
        attacker.administer('POST', `/admin/tenants/${id}/sending-domains`, { domain: 'acme.example' });
      return expectOnly(await Promise.all(tenants.map(add)), 200);
    },
  },
  {
    name: '40 sending domains of one tenant at once',
    run: async (attacker) => {
      const add = (/** @type {number} */ i) =>
        attacker.administer('POST', `/admin/tenants/${attacker.tenantId}/sending-domains`, {
          domain: `d${i}-${Math.random()}.example`,
        });
      return expectOnly(await Promise.all(Array.from({ length: 40 }, (_, i) => add(i))), 200, 503);
    },
  },
  {
    name: 'mails of 3,900 parts to the listener for bounces',
    run: async ({ bounces }) => mailsOf(bounces, `--b\r\n`.repeat(3900)),
  },
  {
    name: 'mails of tags to the listener for bounces',
    run: async ({ bounces }) => mailsOf(bounces, `${'<a><b'.repeat(12)}\r\n`.repeat(3900), 'text/html'),
  },
];

/**
 * Forty mails, by ten connections.
 * @param {{ port: number, to: string }} target
 * @param {string} text
 */
async function mailsOf(target, text, type = 'multipart/report; boundary=b') {
  const mail = `From: mailer-daemon@example.net\r\nContent-Type: ${type}\r\n\r\n${text}`;
  const said = await Promise.all(Array.from({ length: 10 }, () => bombard({ ...target, mail, count: 4 })));
  const answers = said.flat().map((code) => ({ status: Number(code), text: code, size: 0 }));
  return expectOnly(answers, 250, 451);
}
