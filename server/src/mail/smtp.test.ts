// Against servers that misbehave: how the attempt is reported, and that nothing is left behind.
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { after, failureOf, message, smtpClient, untilGone } from '../../test/smtp-client.js';
import { type SmtpSettings, smtpTransport } from './smtp.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

const { through } = smtpClient(open);

describe('a mail server that takes a message', () => {
  it('is told the id of the message as metadata if it is Postmark, which reports no other', async () => {
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

  it('gets a message again that it never saw, because it had closed the connection', async () => {
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

it('is greeted with the configured name, or that of the address if it has one', async () => {
  const greeted = async (settings: SmtpSettings, query = '') => {
    const { server, transport } = await through({}, settings, (url) => `${url}${query}`);
    await transport.send(message);
    return server.commands[0];
  };
  expect(await greeted({ name: 'mail.rapport.example' })).toBe('EHLO mail.rapport.example');
  expect(await greeted({ name: 'mail.rapport.example' }, '/?name=other.example')).toBe('EHLO other.example');
});

it('signs in with the address’s credentials, but not to a server that does not ask', async () => {
  const address = (url: string) => url.replace('//', '//me%40x.example:p%40ss%3Aw%25rd@');
  const asked = await through({ extensions: ['AUTH LOGIN PLAIN'], reply: after('AUTH', '235 2.7.0 Ok') }, {}, address);
  await asked.transport.send(message);
  const said = asked.server.commands.find((command) => command.startsWith('AUTH PLAIN'))?.slice('AUTH PLAIN '.length);
  expect(Buffer.from(said ?? '', 'base64').toString()).toBe('\0me@x.example\0p@ss:w%rd');
  const unasked = await through({}, {}, address);
  await unasked.transport.send(message);
  expect(unasked.server.commands.join()).not.toContain('AUTH');
});

it('lets a message in flight arrive when it is closed, and takes no more', async () => {
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
