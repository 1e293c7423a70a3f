// A mail server that accepts only bounces: each recipient must be a return path that we made. Anyone may connect, so
// everything has a limit: connections, recipients, guesses, bytes and time.
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { mostRead } from '../../../mail/bounces/report.js';
import type { Notice } from '../notices.js';
import { genuinePath, type MailNeeds, noticesFrom } from './take-mail.js';

export interface InboundLimits {
  connections: number;
  perAddress: number;
  /** Per mail: a message has one return path. */
  recipients: number;
  /** Wrong recipients per connection before it is closed. */
  guesses: number;
  /** Mails per connection before it is closed: a server with more of them reconnects. */
  mails: number;
  bytes: number;
  idleMs: number;
  /** For a whole connection: a client that sends a byte a minute is not idle. */
  lifeMs: number;
}

const defaults: InboundLimits = {
  connections: 100,
  perAddress: 20,
  recipients: 10,
  guesses: 10,
  mails: 50,
  bytes: 10 * 1024 * 1024,
  idleMs: 60_000,
  lifeMs: 10 * 60_000,
};

interface InboundOptions {
  port: number;
  /** By default all addresses of the machine. */
  host?: string;
  /** The host name it introduces itself with; the machine's name by default. */
  name?: string;
  limits?: Partial<InboundLimits>;
  log: { warn(facts: object, message: string): void };
}

export interface Inbound {
  port: number;
  /** Waits a few seconds for mails in progress. Idle clients are disconnected at once. */
  close(): Promise<void>;
}

export async function startInbound(needs: MailNeeds, options: InboundOptions): Promise<Inbound> {
  const limits = { ...defaults, ...options.limits };
  let isClosing = false;
  const server: SMTPServer = new SMTPServer({
    ...(options.name === undefined ? {} : { name: options.name }),
    banner: 'Rapport, for bounces and complaints',
    // There is no certificate, and no authentication.
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    size: limits.bytes,
    maxClients: limits.connections,
    maxRecipients: limits.recipients,
    socketTimeout: limits.idleMs,
    closeTimeout: 5000,
    logger: false,
    ...handlers(needs, limits, options.log, () => {
      // After its mail was answered: the reply must be sent first.
      if (isClosing) setImmediate(() => endIdle(server));
    }),
  });
  server.server.on('connection', (socket: Socket) => endAfter(socket, limits.lifeMs));
  // Usually errors of single connections, which are closed by then.
  server.on('error', (error) => options.log.warn({ error: error.message }, 'the bounce listener reported an error'));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        isClosing = true;
        server.close(() => resolve());
        endIdle(server);
      }),
  };
}

/** Clients between two mails. A server keeps connections open for its next mail, and closing would wait for it. */
function endIdle({ connections }: SMTPServer): void {
  for (const connection of [...connections])
    if (!connection.session.envelope?.mailFrom) connection.send(421, 'Closing, come back later');
}

function endAfter(socket: Socket, lifeMs: number): void {
  const timer = setTimeout(() => socket.destroy(), lifeMs);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

type Done = (error?: Error | null, message?: string) => void;

function handlers(needs: MailNeeds, limits: InboundLimits, log: InboundOptions['log'], onTaken: () => void) {
  const ofAddress = new Map<string, number>();
  const admitted = new WeakSet<SMTPServerSession>();
  const wrong = new WeakMap<SMTPServerSession, number>();
  const begun = new WeakMap<SMTPServerSession, number>();

  return {
    onConnect(session: SMTPServerSession, done: Done) {
      const others = ofAddress.get(session.remoteAddress) ?? 0;
      if (others >= limits.perAddress) return done(refusal(421, 'Too many connections from your address'));
      ofAddress.set(session.remoteAddress, others + 1);
      admitted.add(session);
      done();
    },
    onClose(session: SMTPServerSession) {
      if (!admitted.delete(session)) return;
      const left = (ofAddress.get(session.remoteAddress) ?? 1) - 1;
      if (left > 0) ofAddress.set(session.remoteAddress, left);
      else ofAddress.delete(session.remoteAddress);
    },
    onMailFrom(_address: unknown, session: SMTPServerSession, done: Done) {
      const mails = (begun.get(session) ?? 0) + 1;
      begun.set(session, mails);
      done(mails > limits.mails ? refusal(421, 'Enough mails for one connection, come back with the rest') : null);
    },
    onRcptTo({ address }: { address: string }, session: SMTPServerSession, done: Done) {
      const guesses = wrong.get(session) ?? 0;
      if (guesses >= limits.guesses) return done(refusal(421, 'Too many unknown recipients'));
      genuinePath(address, needs).then(
        (path) => {
          if (!path) wrong.set(session, guesses + 1);
          done(path ? null : refusal(550, 'No such recipient: only the return paths of messages are served here'));
        },
        (error: Error) => {
          log.warn({ error: error.message }, 'a recipient could not be checked; its server will retry');
          done(refusal(451, 'Not now, try again'));
        },
      );
    },
    onData(stream: SMTPServerDataStream, { envelope }: SMTPServerSession, done: Done) {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      readBeginning(stream, limits.bytes)
        .then((raw) => (raw ? take(raw, recipients, needs) : refusal(552, 'The mail is too large')))
        .then((refused) => done(refused, 'Taken'))
        .catch((error: Error) => {
          log.warn({ error: error.message }, 'a mail could not be accepted; its server will retry');
          done(refusal(451, 'Not now, try again'));
        })
        .finally(onTaken);
    },
  };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** The part of a mail that is read; undefined if it is too large. The rest is still received, as the protocol requires. */
async function readBeginning(stream: SMTPServerDataStream, atMost: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (size < mostRead) chunks.push(chunk);
    size += chunk.length;
  }
  return size <= atMost ? Buffer.concat(chunks) : undefined;
}

/** Resolves once everything is stored. A mail that is not a report is accepted and dropped: refusing it would only cause another mail. */
async function take(raw: Buffer, recipients: readonly string[], needs: MailNeeds): Promise<null> {
  const reports = await needs.readReports(raw);
  const ofTenant = new Map<number, Notice[]>();
  for (const address of recipients) {
    const path = await genuinePath(address, needs);
    if (!path) continue;
    ofTenant.set(path.tenantId, [...(ofTenant.get(path.tenantId) ?? []), ...noticesFrom(reports, path)]);
  }
  for (const [tenantId, notices] of ofTenant) if (notices.length > 0) await needs.takeNotices(tenantId, notices);
  return null;
}
