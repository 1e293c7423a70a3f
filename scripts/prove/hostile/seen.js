// Attacks that once stopped the service for everyone. Each must end in a clear response, and takes long enough for a second tenant to
// notice it. Issue 10 has the figures of that day.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  batchOf,
  body,
  capture,
  contactWith,
  dust,
  expectOnly,
  get,
  holding,
  MiB,
  mailsOf,
  many,
  postForm,
  shouting,
  template,
  unfinished,
} from './attack.js';

/** @type {import('./attack.js').Attack[]} */
export const attacksSeen = [
  {
    name: '20 sockets ask for /docs and never read',
    run: shouting(20, (i) => get('/docs').repeat(i % 2 ? 100 : 5000)),
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
  template('url_encode a hundred times', capture('%'.repeat(10_000), '| url_encode '.repeat(100))),
  template('where on 2 M characters', capture('a'.repeat(2_000_000), '| split: "" | where: "a.b.c"')),
  template('sort three hundred times', capture('ab'.repeat(200_000), `| split: "" ${'| sort: "y" '.repeat(300)}`)),
  template('230,000 breaks behind a raw brace', `{% raw %}{{{% endraw %}${'{%break%}'.repeat(230_000)}`),
  body('5 million items', '/v2/lists/x/members', () => `{"contactIds":[${many(5_000_000, () => '1')}]}`, 400),
  body('a million broken texts', '/v2/lists/x/members', () => `{"contactIds":[${many(1e6, () => '"\\ud800"')}]}`, 400),
  body('690,000 keys', '/v2/contacts', () => contactWith(many(690_000, (i) => `"k${i}":1`)), 400),
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
      // 502 means that the mail server did not accept it: the one failure that is not ours.
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
    name: '200 sign-ins at once with a wrong password',
    run: shouting(200, (i) => postForm('/oauth/sign-in', `email=nobody${i}%40example.com&password=${'x'.repeat(200)}`)),
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
    name: 'mails of 3,900 parts to the listener for bounces',
    run: async ({ bounces }) => mailsOf(bounces, `--b\r\n`.repeat(3900)),
  },
];
