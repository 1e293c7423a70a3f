// A tenant that means harm, and what it needs for it: sockets that never read, bodies that were never meant, a mail server that
// never answers.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson, makeTenant, readAdminToken } from '../../../server/test/process/tenant.js';

/** @typedef {Awaited<ReturnType<typeof makeAttacker>>} Attacker */

/** @param {{ url: string, dataDir: string }} service */
export async function makeAttacker(service) {
  const { tenantId, token } = await makeTenant(service);
  const admin = await readAdminToken(service.dataDir);
  await callJson(`${service.url}/admin/tenants/${tenantId}/sending-domains`, {
    token: admin,
    method: 'POST',
    body: { domain: 'example.com' },
  });
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  const { hostname, port } = new URL(service.url);
  const bearer = `Authorization: Bearer ${token}\r\n`;

  /**
   * Says something, and never reads.
   * @param {...(string | Buffer)} parts
   */
  function shout(...parts) {
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .pause();
    for (const part of parts) socket.write(part);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body] Text goes as it is.
   * @param {Record<string, string>} [headers]
   */
  async function call(method, path, body, headers = {}) {
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: text }),
    });
    const answer = await response.text();
    return { status: response.status, text: answer, size: answer.length };
  }

  /** Waits until what was acknowledged is applied. */
  async function applied() {
    for (;;) {
      const { body } = await callJson(`${service.url}/admin/work`, { token: admin });
      const waits = (/** @type {{ tenantId: number, queue: string }} */ row) =>
        row.tenantId === tenantId && row.queue === 'writes';
      if (!body.data.some(waits)) return;
      await sleep(100);
    }
  }

  const email = { name: 'A', subject: 'S', fromEmail: { email: 'a@example.com' } };
  /** @param {string} html */
  const createEmail = (html) => call('POST', '/v2/emails', { ...email, name: `A ${Math.random()}`, html });
  /** @param {string} html */
  const makeEmail = async (html) => String(JSON.parse((await createEmail(html)).text).data.emailId);

  function hangUp() {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }
  return { tenantId, token, bearer, sockets, shout, call, applied, createEmail, makeEmail, hangUp };
}

/** A mail server that accepts connections and never answers. */
export async function silentMailServer() {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `smtp://127.0.0.1:${port}`, close };
}
