// A hostile tenant and its tools: sockets that never read, and malformed bodies.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson, makeTenant, readAdminToken } from '../../../server/test/process/tenant.js';

/** @typedef {Awaited<ReturnType<typeof makeAttacker>>} Attacker */

/**
 * @param {{ url: string, dataDir: string, stdout: () => string }} service
 * @param {{ returnPath: () => string }} mails The server that accepted its first message.
 */
export async function makeAttacker(service, mails) {
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
   * Sends something, and never reads.
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
   * @param {unknown} [body] Text is sent as it is.
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

  /** Waits until all acknowledged writes are applied. */
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

  /** As the operator of many tenants, who does everything at once. */
  const administer = async (/** @type {string} */ method, /** @type {string} */ path, /** @type {object} */ body) => {
    const { status, body: answer } = await callJson(`${service.url}${path}`, { token: admin, method, body });
    return { status, data: answer?.data, text: JSON.stringify(answer ?? ''), size: 0 };
  };

  /** Sends a request whose body continues in parts, and waits for the response, or for the end. */
  async function* trickle(/** @type {string} */ head) {
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    let heard = '';
    let isOver = false;
    socket
      .on('error', () => undefined)
      .on('data', (text) => {
        heard += text;
      })
      .on('close', () => {
        isOver = true;
        sockets.delete(socket);
      });
    socket.write(head);
    while (!isOver && !/^HTTP\/1\.1 \d{3}/.test(heard)) yield socket;
    yield Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? 0);
  }

  /** Where the service accepts bounces, and an address that it accepts them for: every recipient of a mail knows one. */
  async function bounceTarget() {
    const emailId = await makeEmail('<p>Hello');
    await call('POST', '/v2/contacts/batch', { contacts: [{ email: 'x@example.com' }] });
    await applied();
    await call('POST', '/v2/messages', { emailId, email: 'x@example.com' });
    while (mails.returnPath() === '') await sleep(50);
    return { port: Number(/smtp:\/\/127\.0\.0\.1:(\d+)/.exec(service.stdout())?.[1]), to: mails.returnPath() };
  }

  function hangUp() {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }
  return {
    ...{ tenantId, token, bearer, sockets, shout, call, applied, createEmail, makeEmail, hangUp },
    ...{ administer, trickle, bounceTarget },
  };
}
