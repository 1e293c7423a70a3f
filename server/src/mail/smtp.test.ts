// Against servers that misbehave: what is said of the attempt, and that nothing stays behind.
import { once } from 'node:events';
import { createServer, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listen, type ScriptedServer, type SmtpScript, scriptedServer } from '../../test/smtp.js';
import { type SmtpSettings, smtpTransport } from './smtp.js';
import { MailNotSent, type Message, type Transport } from './transport.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const message: Message = {
  tenantId: 1,
  messageId: '<0190aaaa@example.com>',
  from: { email: 'shop@example.com', name: 'Shop' },
  to: 'ada.lovelace@example.org',
  forEmail: null,
  replyTo: 'shop@example.com',
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
};

async function through(script: SmtpScript, settings?: SmtpSettings, address = (url: string) => url) {
  const server = await scriptedServer(script);
  const transport = smtpTransport(address(server.url), settings);
  open.push(server, transport);
  return { server, transport };
}

const failureOf = (transport: Transport, changes: Partial<Message> = {}) =>
  transport.send({ ...message, ...changes }).then(
    () => expect.unreachable('it was taken'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(MailNotSent);
      const { message: words, outlook, stage, code, reply } = error as MailNotSent;
      return { words, outlook, stage, code, reply };
    },
  );

function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

async function untilGone(server: ScriptedServer): Promise<void> {
  while (server.sockets.size > 0) await sleep(5);
}

const after = (start: string, reply: string | null) => (command: string) =>
  command.startsWith(start) ? reply : undefined;

describe('a mail server that takes a message', () => {
  it('is told the id of the message as metadata where it is Postmark, which tells no other back', async () => {
    const sentTo = async (servername: string) => {
      const mails: string[] = [];
      const server = new SMTPServer({
        ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
        onData: (stream, _session, done) => {
          let mail = '';
          stream.on('data', (chunk) => {
            mail += chunk;
          });
          stream.on('end', () => {
            mails.push(mail);
            done();
          });
        },
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.server.address() as { port: number };
      const transport = smtpTransport(`smtp://127.0.0.1:${port}/?servername=${servername}`);
      open.push({ close: () => new Promise((resolve) => server.close(() => resolve(undefined))) }, transport);
      await transport.send(message);
      return mails[0];
    };
    expect(await sentTo('smtp.postmarkapp.com')).toMatch(/^X-PM-Metadata-message-id: 0190aaaa\r$/m);
    expect(await sentTo('smtp.example.com')).not.toContain('X-PM-Metadata');
    expect(await sentTo('notpostmarkapp.com')).not.toContain('X-PM-Metadata');
  });

  it('is told the return path, and its reply is kept', async () => {
    const { server, transport } = await through({});
    const taken = await transport.send({ ...message, returnPath: 'b-1-x-y@bounce.example.com' });
    expect(taken).toEqual({ reply: '250 2.0.0 Ok: queued as 4AB' });
    expect(server.commands.slice(1)).toEqual([
      'MAIL FROM:<b-1-x-y@bounce.example.com>',
      'RCPT TO:<ada.lovelace@example.org>',
      'DATA',
    ]);
  });

  it('gets a message and the dot that ends it in one write', async () => {
    const { transport } = await through({});
    const write = vi.spyOn(Socket.prototype, 'write');
    await transport.send(message);
    const written = write.mock.calls.map(([piece]) => String(piece));
    write.mockRestore();
    expect(written.find((piece) => piece.includes('Subject: Hello'))).toMatch(/\r\n\.\r\n$/);
  });

  it('gets a message that is longer than what streams hold', async () => {
    const { server, transport } = await through({});
    const text = 'A line.\r\n.with a dot\r\n'.repeat(20_000);
    await transport.send({ ...message, text, html: `<pre>${text}</pre>` });
    expect(server.messages[0]?.length).toBeGreaterThan(2 * text.length);
  });

  it('gets one message after the other over one connection, and no more connections than allowed', async () => {
    const { server, transport } = await through({}, { maxConnections: 2 });
    await transport.send(message);
    await transport.send(message);
    expect(server.connections()).toBe(1);
    await Promise.all(Array.from({ length: 20 }, () => transport.send(message)));
    expect([server.connections(), server.messages.length]).toEqual([2, 22]);
  });

  it('gets a new connection after a hundred messages', async () => {
    const { server, transport } = await through({}, { maxConnections: 1 });
    for (let i = 0; i < 101; i++) await transport.send(message);
    expect([server.connections(), server.messages.length]).toEqual([2, 101]);
  });

  // Two of one connection could come twice after a kill: one message more than the protocol cannot avoid.
  it('gets no other message over a connection before what came of the last one is stored', async () => {
    const takenBy: Socket[] = [];
    const taken = (_: string, socket: Socket) => {
      takenBy.push(socket);
      return '250 Ok';
    };
    const { transport } = await through({ taken }, { maxConnections: 2 });
    const [first, second] = [gate(), gate()];
    await transport.send(message, first.passed);
    await transport.send(message, second.passed);
    const third = transport.send(message);
    // Both connections are held: it waits in line, whatever the event loop does meanwhile.
    for (let i = 0; i < 20; i++) await sleep(1);
    expect(takenBy).toHaveLength(2);
    expect(takenBy[1]).not.toBe(takenBy[0]);
    second.open();
    await third;
    expect(takenBy[2]).toBe(takenBy[1]);
    first.open();
  });

  it('gets a message that it never saw again, where it had closed a connection in between', async () => {
    let isOver = false;
    const { server, transport } = await through({
      reply: (command, socket) => {
        if (!isOver || !command.startsWith('MAIL')) return undefined;
        isOver = false;
        socket.end('421 4.4.2 Idle for too long\r\n');
        return null;
      },
    });
    await transport.send(message);
    isOver = true;
    await transport.send(message);
    expect([server.connections(), server.messages.length]).toEqual([2, 2]);
  });
});

it('calls itself as it is told, and as the address says where that says something', async () => {
  const greeted = async (settings: SmtpSettings, query = '') => {
    const { server, transport } = await through({}, settings, (url) => `${url}${query}`);
    await transport.send(message);
    return server.commands[0];
  };
  expect(await greeted({ name: 'mail.rapport.example' })).toBe('EHLO mail.rapport.example');
  expect(await greeted({ name: 'mail.rapport.example' }, '/?name=other.example')).toBe('EHLO other.example');
});

it('signs in with what the address says, and not where nobody asks', async () => {
  const address = (url: string) => url.replace('//', '//me%40x.example:p%40ss%3Aw%25rd@');
  const asked = await through({ extensions: ['AUTH LOGIN PLAIN'], reply: after('AUTH', '235 2.7.0 Ok') }, {}, address);
  await asked.transport.send(message);
  const said = asked.server.commands.find((command) => command.startsWith('AUTH PLAIN'))?.slice('AUTH PLAIN '.length);
  expect(Buffer.from(said ?? '', 'base64').toString()).toBe('\0me@x.example\0p@ss:w%rd');
  const unasked = await through({}, {}, address);
  await unasked.transport.send(message);
  expect(unasked.server.commands.join()).not.toContain('AUTH');
});

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

  it('to MAIL is about us also where the server goes on to DATA all the same', async () => {
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

describe('encryption', () => {
  it('that is required and not offered ends the attempt before anything is told', async () => {
    const script = { reply: after('STARTTLS', '502 5.5.1 Unknown command') };
    const { server, transport } = await through(script, {}, (url) => `${url}?requireTLS=true`);
    expect(await failureOf(transport)).toEqual({
      words: 'the encrypted connection failed (502)',
      outlook: 'later',
      stage: 'connect',
      code: 502,
      reply: '502 5.5.1 Unknown command',
    });
    expect(server.commands.join()).not.toMatch(/AUTH|MAIL|RCPT/);
  });

  it('from the start fails against a server that speaks plainly', async () => {
    const { transport } = await through({}, {}, (url) => url.replace('smtp:', 'smtps:'));
    const { words, outlook, stage, code } = await failureOf(transport);
    expect({ words, outlook, stage, code }).toEqual({
      words: 'the encrypted connection failed',
      outlook: 'later',
      stage: 'connect',
      code: null,
    });
  });

  it('is used where it is offered, with a certificate that can be trusted or that one says to trust', async () => {
    const secured: boolean[] = [];
    const server = new SMTPServer({
      authOptional: true,
      onData: (stream, { secure }, done) => {
        secured.push(secure);
        stream.resume().on('end', () => done());
      },
    });
    server.on('error', () => undefined);
    open.push({ close: () => new Promise<void>((resolve) => server.close(() => resolve())) });
    const url = `smtp://127.0.0.1:${await listen(server.server)}`;
    const [strict, trusting] = [
      smtpTransport(url),
      smtpTransport(`${url}?requireTLS=true&tls.rejectUnauthorized=false`),
    ];
    open.push(strict, trusting);
    expect(await failureOf(strict)).toMatchObject({
      words: 'the encrypted connection failed',
      outlook: 'later',
      stage: 'connect',
      code: null,
    });
    await trusting.send(message);
    expect(secured).toEqual([true]);
  });

  it('that breaks off in the handshake ends the attempt', async () => {
    const { transport } = await through({
      extensions: ['STARTTLS'],
      reply: (command, socket) => {
        if (command !== 'STARTTLS') return undefined;
        socket.write('220 go on\r\n', () => socket.destroy());
        return null;
      },
    });
    expect(await failureOf(transport)).toMatchObject({ outlook: 'later', stage: 'connect', code: null });
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

  it('with half an answer to the message may have it: it is not sent again at once', async () => {
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

  it('without a word is told as unreachable', async () => {
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

  it('lets those in line go too when their time is over', async () => {
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

describe('an address', () => {
  const international = 'jörg@example.org';

  it('with letters beyond ASCII before the @ is refused where the server has no SMTPUTF8', async () => {
    const { server, transport } = await through({});
    expect(await failureOf(transport, { to: international })).toMatchObject({
      outlook: 'refused',
      stage: 'rcpt',
      code: 553,
      reply: expect.stringMatching(/^553 5\.6\.7 .*SMTPUTF8/),
    });
    expect(server.commands.join()).not.toContain('MAIL');
    await transport.send(message);
    expect(server.connections()).toBe(1);
  });

  it('with letters beyond ASCII before the @ leaves where it has', async () => {
    const { server, transport } = await through({ extensions: ['SMTPUTF8'] });
    await transport.send({ ...message, to: international });
    expect(server.commands).toContain('MAIL FROM:<shop@example.com> SMTPUTF8');
    expect(server.commands).toContain(`RCPT TO:<${international}>`);
  });

  it('has its domain in ASCII, in the envelope and in the headers', async () => {
    const { server, transport } = await through({});
    await transport.send({ ...message, to: 'ada@bücher.example', from: { email: 'a@Käse.example', name: null } });
    expect(server.commands).toContain('MAIL FROM:<a@xn--kse-qla.example>');
    expect(server.commands).toContain('RCPT TO:<ada@xn--bcher-kva.example>');
    expect(server.messages[0]).toMatch(/^To: ada@xn--bcher-kva\.example\r$/m);
    expect(server.messages[0]).toMatch(/^From: a@xn--kse-qla\.example\r$/m);
  });

  it.each([
    'a@b\r\nRCPT TO:<c@d>',
    'a b@example.org',
    'a<b>@example.org',
    'no-at',
    '@example.org',
    'a@',
    'a@b c',
    'a@x,y',
  ])('that can be none (%j) is refused and no server hears of it', async (to) => {
    const { server, transport } = await through({});
    expect(await failureOf(transport, { to })).toMatchObject({ outlook: 'refused', stage: 'rcpt', code: 553 });
    expect(server.connections()).toBe(0);
  });

  it('of the sender that can be none is not held against who it goes to', async () => {
    const { transport } = await through({});
    for (const changes of [{ returnPath: 'a@b\r\nc' }, { replyTo: 'a b@x' }, { replyTo: 'jörg@example.com' }])
      expect(await failureOf(transport, changes)).toMatchObject({ outlook: 'later', stage: 'mail', code: null });
  });
});

it('lets a message on its way arrive when it is closed, and takes no more', async () => {
  let answer: (() => void) | undefined;
  const { server, transport } = await through({
    taken: (_, socket) => {
      answer = () => socket.write('250 Ok\r\n');
      return null;
    },
  });
  const sending = transport.send(message);
  while (!answer) await sleep(5);
  transport.close();
  expect(await failureOf(transport)).toMatchObject({ outlook: 'later', stage: 'connect' });
  answer();
  expect(await sending).toEqual({ reply: '250 Ok' });
  await untilGone(server);
});

it('opens another connection for the next message when one was lost', async () => {
  const { server, transport } = await through({});
  await transport.send(message);
  const [socket] = server.sockets;
  socket?.destroy();
  await once(socket as Socket, 'close');
  await transport.send(message);
  expect(server.connections()).toBe(2);
});

it('does not wait for a server that never says goodbye', async () => {
  const { server, transport } = await through({ reply: after('QUIT', null) });
  await transport.send(message);
  transport.close();
  await untilGone(server);
  expect(server.commands.at(-1)).toBe('QUIT');
});
