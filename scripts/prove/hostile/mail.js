// The attacker's mail: a server that accepts one message, to learn its return path, and never answers again; and mails to the bounce listener.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A mail server that answers until it is silenced. */
export async function fickleMailServer() {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  let isSilent = false;
  let returnPath = '';
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    let inMail = false;
    const say = (/** @type {string} */ text) => isSilent || socket.write(`${text}\r\n`);
    say('220 here');
    socket.on('data', (text) => {
      for (const line of String(text).split('\r\n').slice(0, -1)) {
        returnPath ||= /^MAIL FROM:<(.+?)>/i.exec(line)?.[1] ?? '';
        if (inMail && line !== '.') continue;
        inMail = /^DATA/i.test(line);
        say(inMail ? '354 go on' : '250 ok');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `smtp://127.0.0.1:${port}`,
    returnPath: () => returnPath,
    hush: () => {
      isSilent = true;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/**
 * One mail after the other on one connection, until it is closed or the count is reached. Returns the reply to each.
 * @param {{ port: number, to: string, mail: string, count: number }} what
 * @returns {Promise<string[]>}
 */
export async function bombard({ port, to, mail, count }) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.on('error', () => undefined);
  const replies = (async function* () {
    let heard = '';
    for await (const text of socket) {
      heard += text;
      for (let end = /^\d{3} .*\r\n/m.exec(heard); end; end = /^\d{3} .*\r\n/m.exec(heard)) {
        yield end[0].slice(0, 3);
        heard = heard.slice(end.index + end[0].length);
      }
    }
  })();
  const hear = async () => String((await replies.next()).value ?? '');
  const say = (/** @type {string} */ text) => {
    socket.write(`${text}\r\n`);
    return hear();
  };
  const said = [];
  await hear();
  await say('EHLO attacker');
  while (said.length < count) {
    if ((await say('MAIL FROM:<>')) !== '250') break;
    await say(`RCPT TO:<${to}>`);
    await say('DATA');
    said.push(await say(`${mail}\r\n.`));
  }
  socket.destroy();
  return said;
}
