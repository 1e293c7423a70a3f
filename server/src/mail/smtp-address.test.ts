import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../../test/smtp.js';
import { after, failureOf, message, smtpClient } from '../../test/smtp-client.js';
import { smtpTransport } from './smtp.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const { through } = smtpClient(open);

describe('encryption', () => {
  it('that is required and not offered ends the attempt before anything is sent', async () => {
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

  it('from the start fails against a server without TLS', async () => {
    const { transport } = await through({}, {}, (url) => url.replace('smtp:', 'smtps:'));
    const { words, outlook, stage, code } = await failureOf(transport);
    expect({ words, outlook, stage, code }).toEqual({
      words: 'the encrypted connection failed',
      outlook: 'later',
      stage: 'connect',
      code: null,
    });
  });

  it('is used if it is offered, with a trusted certificate or one that the address says to trust', async () => {
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

  it('of the sender that is invalid is not held against the recipient', async () => {
    const { transport } = await through({});
    for (const changes of [{ returnPath: 'a@b\r\nc' }, { replyTo: 'a b@x' }, { replyTo: 'jörg@example.com' }])
      expect(await failureOf(transport, changes)).toMatchObject({ outlook: 'later', stage: 'mail', code: null });
  });
});
