import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, type SmtpScript } from '../../test/smtp.js';
import { after, failureOf, message, smtpClient, untilGone } from '../../test/smtp-client.js';
import { smtpTransport } from './smtp.js';
import type { Transport } from './transport.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const { through } = smtpClient(open);

describe('a reply that is about the message', () => {
  it.each([
    ['RCPT', 'rcpt', '550 5.1.1 No such user', 550, 'it refused the sender or the recipient (550)'],
    ['DATA', 'data', '554 5.7.1 Spam', 554, 'it refused the sender or the recipient (554)'],
  ])('refuses it for good at %s', async (verb, stage, reply, code, words) => {
    for (const extensions of [['PIPELINING'], ['8BITMIME']]) {
      const { transport } = await through({ extensions, reply: after(verb, reply) });
      expect(await failureOf(transport)).toEqual({ words, outlook: 'refused', stage, code, reply });
    }
  });

  it('refuses it for good after DATA, and the connection serves the next one', async () => {
    const replies = ['552 5.3.4 Message too big', '250 Ok'];
    const { server, transport } = await through({ taken: () => replies.shift() as string });
    const failure = { words: 'it refused the content (552)', outlook: 'refused', stage: 'data', code: 552 };
    expect(await failureOf(transport)).toEqual({ ...failure, reply: '552 5.3.4 Message too big' });
    expect(await transport.send(message)).toEqual({ reply: '250 Ok' });
    expect([server.connections(), server.commands.includes('RSET')]).toEqual([1, true]);
  });

  it.each([
    ['RCPT', 'rcpt', '451 4.7.1 Greylisted'],
    ['RCPT', 'rcpt', '452 4.2.2 Mailbox full'],
    ['DATA', 'data', '450 4.3.2 Busy'],
  ])('puts it off at %s', async (verb, stage, reply) => {
    const { transport } = await through({ reply: after(verb, reply) });
    const code = Number(reply.slice(0, 3));
    expect(await failureOf(transport)).toMatchObject({ outlook: 'later', stage, code, reply });
  });

  it.each(['RCPT', 'DATA'])('puts it off where the server closes with 421 at %s', async (verb) => {
    const { server, transport } = await through({
      reply: (command, socket) => {
        if (!command.startsWith(verb)) return undefined;
        socket.end('421 4.7.0 Try again later\r\n');
        return null;
      },
    });
    expect(await failureOf(transport)).toMatchObject({
      outlook: 'later',
      code: 421,
      reply: '421 4.7.0 Try again later',
    });
    expect(server.connections()).toBe(1);
  });
});

describe('a reply that is about us', () => {
  it.each([
    ['greeting', 'connect', { greeting: '554 5.3.2 Go away' }, '554 5.3.2 Go away'],
    ['EHLO', 'connect', { reply: after('', '550 5.7.1 Not you') }, '550 5.7.1 Not you'],
    ['MAIL', 'mail', { reply: after('MAIL', '550 5.7.1 Sender blocked') }, '550 5.7.1 Sender blocked'],
  ] as const)('to the %s is worth another attempt, even with 5xx', async (_, stage, script, reply) => {
    const { transport } = await through(script);
    const code = Number(reply.slice(0, 3));
    expect(await failureOf(transport)).toMatchObject({ outlook: 'later', stage, code, reply });
  });

  it('to MAIL is about us even if the server goes on to DATA', async () => {
    const reply = (command: string) =>
      command === 'DATA' ? '354 go on' : command.startsWith('MAIL') ? '550 5.7.1 Sender blocked' : undefined;
    const { server, transport } = await through({ reply });
    expect(await failureOf(transport)).toMatchObject({ outlook: 'later', stage: 'mail', code: 550 });
    await untilGone(server);
  });

  it('to the sign-in is worth another attempt, and gives nothing away', async () => {
    const script: SmtpScript = {
      extensions: ['AUTH PLAIN'],
      reply: (command) =>
        command.startsWith('AUTH') ? `535 5.7.8 No ${command} hush-hush for me@example.com` : undefined,
    };
    const { transport } = await through(script, {}, (url) => url.replace('//', '//me%40example.com:hush-hush@'));
    expect(await failureOf(transport)).toEqual({
      words: 'it refused the sign-in (535)',
      outlook: 'later',
      stage: 'auth',
      code: 535,
      reply: '535 5.7.8 No AUTH PLAIN … … for …',
    });
  });
});

describe('a server that leaves', () => {
  const dropAt = (verb: string) => (command: string, socket: Socket) => {
    if (!command.startsWith(verb)) return undefined;
    socket.destroy();
    return null;
  };

  it.each([
    ['EHLO', 'connect'],
    ['MAIL', 'mail'],
    ['DATA', 'mail'],
  ])('at %s ends the attempt', async (verb, stage) => {
    const { transport } = await through({ extensions: [], reply: dropAt(verb) });
    expect(await failureOf(transport)).toMatchObject({ outlook: 'later', stage, code: null });
  });

  it('in the middle of the message ends the attempt', async () => {
    const { transport } = await through({
      taken: (_, socket) => {
        socket.destroy();
        return null;
      },
    });
    expect(await failureOf(transport)).toMatchObject({ outlook: 'later', stage: 'data', code: null });
  });

  it('after half an answer may have the message: it is not sent again at once', async () => {
    let count = 0;
    const { server, transport } = await through({
      taken: (_, socket) => {
        if (++count < 2) return '250 Ok';
        socket.end('25');
        return null;
      },
    });
    await transport.send(message);
    expect(await failureOf(transport)).toMatchObject({ outlook: 'later', stage: 'data', code: null });
    expect(server.messages.length).toBe(2);
  });

  it('without a word is reported as unreachable', async () => {
    const server = createServer((socket) => socket.destroy());
    open.push(server, smtpTransport(`smtp://127.0.0.1:${await listen(server)}`));
    expect(await failureOf(open[1] as Transport)).toMatchObject({
      words: 'it cannot be reached',
      outlook: 'later',
      stage: 'connect',
    });
  });

  it('was never there', async () => {
    const transport = smtpTransport('smtp://127.0.0.1:1');
    open.push(transport);
    expect(await failureOf(transport)).toEqual({
      words: 'it cannot be reached',
      outlook: 'later',
      stage: 'connect',
      code: null,
      reply: 'it cannot be reached (ECONNREFUSED)',
    });
  });
});

describe('a server that hangs', () => {
  const late = { words: 'it did not answer in time', outlook: 'later', code: null, reply: 'it did not answer in time' };

  it('before it greets', async () => {
    const { server, transport } = await through({ greeting: undefined }, { patience: { greeting: 50 } });
    expect(await failureOf(transport)).toEqual({ ...late, stage: 'connect' });
    await untilGone(server);
  });

  it.each([
    ['AUTH', 'auth'],
    ['MAIL', 'mail'],
    ['RCPT', 'mail'],
  ])('at %s', async (verb, stage) => {
    const { server, transport } = await through(
      { extensions: ['AUTH PLAIN'], reply: after(verb, null) },
      { patience: { silence: 50 } },
      (url) => url.replace('//', '//user:pass@'),
    );
    expect(await failureOf(transport)).toEqual({ ...late, stage });
    await untilGone(server);
  });

  it('after the message', async () => {
    const { server, transport } = await through({ taken: () => null }, { patience: { silence: 50 } });
    expect(await failureOf(transport)).toEqual({ ...late, stage: 'data' });
    await untilGone(server);
  });

  it('by a byte at a time is left after the time of a message, and its connection is closed', async () => {
    const drips: NodeJS.Timeout[] = [];
    const drip = (socket: Socket) => {
      drips.push(setInterval(() => socket.writable && socket.write('2'), 10));
      return null;
    };
    open.push({ close: () => drips.forEach(clearInterval) });
    const { server, transport } = await through(
      { taken: (_, socket) => drip(socket) },
      { patience: { silence: 100, message: 300 } },
    );
    expect(await failureOf(transport)).toEqual({ ...late, stage: 'data' });
    await untilGone(server);
  });

  it('also ends those in line when their time is over', async () => {
    const { server, transport } = await through(
      { greeting: undefined },
      { maxConnections: 1, patience: { message: 50 } },
    );
    const failures = await Promise.all([1, 2, 3].map(() => failureOf(transport)));
    expect(failures).toEqual(Array(3).fill({ ...late, stage: 'connect' }));
    await untilGone(server);
  });
});

describe('a server that speaks nonsense', () => {
  it.each([
    [{ greeting: 'HTTP/1.1 400 Bad Request' }, 'connect'],
    [{ extensions: [], reply: after('RCPT', 'what is that?') }, 'rcpt'],
    [{ extensions: [], reply: after('RCPT', '5500 too many digits') }, 'rcpt'],
    [{ taken: (): string => '999 hm' }, 'data'],
    [{ taken: (): string => '\u0000\u0001\u0002' }, 'data'],
  ] as const)('%o is worth another attempt and has no code', async (script, stage) => {
    const { transport } = await through(script);
    expect(await failureOf(transport)).toMatchObject({ outlook: 'later', stage, code: null });
  });

  it('talks without end and is cut off', async () => {
    const { server, transport } = await through({
      greeting: undefined,
      reply: () => null,
    });
    const sending = failureOf(transport);
    while (server.sockets.size === 0) await sleep(5);
    const [socket] = server.sockets;
    for (let i = 0; i < 20 && socket?.writable; i++) socket.write('2'.repeat(100_000));
    expect(await sending).toMatchObject({ outlook: 'later', stage: 'connect', code: null });
  });

  it('has a reply of many lines made one, without addresses, of 500 characters at most', async () => {
    const lines = [
      '550-5.1.1 <ada.lovelace@example.org>: ada.lovelace is',
      '550-5.1.1 not here\u0007',
      `550 5.1.1 ${'x '.repeat(400)}`,
    ];
    const { transport } = await through({ reply: after('RCPT', lines.join('\r\n')) });
    const { reply, outlook } = await failureOf(transport);
    expect([outlook, reply.length]).toEqual(['refused', 500]);
    expect(reply).toMatch(/^550 5\.1\.1 <…>: … is not here (x )+/);
  });
});
