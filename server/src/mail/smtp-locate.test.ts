// A host that must not be anywhere: `locate` returns its address for each connection, and that address is used.
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, it } from 'vitest';
import { listen } from '../../test/smtp.js';
import { smtpTransport } from './smtp.js';
import type { Message } from './transport.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const message: Message = {
  ...{ tenantId: 1, messageId: '<0190aaaa@example.com>', from: { email: 'shop@example.com', name: null } },
  ...{
    to: 'ada@example.org',
    forEmail: null,
    replyTo: 'shop@example.com',
    subject: 'Hello',
    html: 'Hello',
    text: 'Hello',
  },
};

/** A server with encryption that notes by which name it was called. */
async function namedServer(secure: boolean): Promise<{ port: number; names: (string | undefined)[] }> {
  const names: (string | undefined)[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, logger: false, secure },
    onSecure: (socket, _session, done) => {
      names.push((socket as { servername?: string }).servername);
      done();
    },
    onData: (stream, _session, done) => {
      stream.resume().on('end', () => done());
    },
  });
  server.on('error', () => undefined);
  open.push({ close: () => new Promise<void>((resolve) => server.close(() => resolve())) });
  return { port: await listen(server.server), names };
}

it.each([
  ['smtp', false],
  ['smtps', true],
])(
  'of %s is called at the address that was found, and by its name where the connection is encrypted',
  async (scheme, secure) => {
    const { port, names } = await namedServer(secure);
    const asked: string[] = [];
    const locate = async (host: string) => {
      asked.push(host);
      return '127.0.0.1';
    };
    const url = `${scheme}://mail.nowhere.example:${port}?tls.rejectUnauthorized=false`;
    const transport = smtpTransport(url, { locate });
    open.push(transport);
    await transport.send(message);
    expect(asked).toEqual(['mail.nowhere.example']);
    expect(names).toEqual(['mail.nowhere.example']);
  },
);

it('is looked up again for the next connection, and not called at a forbidden address', async () => {
  const { port } = await namedServer(false);
  let isAllowed = false;
  const locate = () =>
    isAllowed ? Promise.resolve('127.0.0.1') : Promise.reject(Object.assign(new Error('no'), { code: 'EINSIDE' }));
  const transport = smtpTransport(`smtp://mail.nowhere.example:${port}?tls.rejectUnauthorized=false`, { locate });
  open.push(transport);
  await expect(transport.send(message)).rejects.toMatchObject({
    ...{ outlook: 'later', stage: 'connect', code: null },
    reply: expect.stringContaining('not on the public internet'),
  });
  isAllowed = true;
  await transport.send(message);
});

it('that is not found is reported as a name that cannot be resolved', async () => {
  const locate = () => Promise.reject(new Error('The name does not exist.'));
  const transport = smtpTransport('smtp://mail.nowhere.example', { locate });
  open.push(transport);
  await expect(transport.send(message)).rejects.toMatchObject({
    stage: 'connect',
    reply: 'its name cannot be resolved',
  });
});

it('is not waited for longer than a message may take', async () => {
  const locate = () => new Promise<string>(() => undefined);
  const transport = smtpTransport('smtp://mail.nowhere.example', { locate, patience: { message: 30 } });
  open.push(transport);
  await expect(transport.send(message)).rejects.toMatchObject({ stage: 'connect', reply: 'it did not answer in time' });
});
