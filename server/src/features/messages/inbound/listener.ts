// A mail server for the mails that come back, and nothing else: each recipient must be a return path that we made. Anyone
// may connect, so that everything has a limit: connections, recipients, guesses, bytes and time.
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { mostRead } from '../../../mail/bounces/report.js';
import type { Notice } from '../notices.js';
import { genuinePath, type MailNeeds, noticesFrom } from './take-mail.js';

export interface InboundLimits {
  connections: number;
  perAddress: number;
  /** Of a mail: a message has one return path. */
  recipients: number;
  /** Wrong recipients of a connection, before it is closed. */
  guesses: number;
  /** Mails of a connection, before it is closed: a server with more of them comes back. */
  mails: number;
  bytes: number;
  idleMs: number;
  /** Of a whole connection: who sends a byte a minute is not idle. */
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
  /** Every address of the machine by default. */
  host?: string;
  /** How it introduces itself; the machine's name by default. */
  name?: string;
  limits?: Partial<InboundLimits>;
  log: { warn(facts: object, message: string): void };
}

export interface Inbound {
  port: number;
  /** Lets mails in progress finish, for some seconds. Idle clients are disconnected at once. */
  close(): Promise<void>;
}

export async function startInbound(needs: MailNeeds, options: InboundOptions): Promise<Inbound> {
  const limits = { ...defaults, ...options.limits };
  let isClosing = false;
  const server: SMTPServer = new SMTPServer({
    ...(options.name === undefined ? {} : { name: options.name }),
    banner: 'Rapport, for bounces and complaints',
    // There is no certificate to show, and no sign-in.
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
      // Once its mail is answered for: that is said first.
      if (isClosing) setImmediate(() => endIdle(server));
    }),
  });
  server.server.on('connection', (socket: Socket) => endAfter(socket, limits.lifeMs));
  // Of single connections, as a rule: they are gone then.
  server.on('error', (error) => options.log.warn({ error: error.message }, 'the listener for bounces has trouble'));
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

/** Those that are in no mail. A server keeps connections open for the next one, and would be waited for. */
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
          log.warn({ error: error.message }, 'a recipient could not be checked; its server tries again');
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
          log.warn({ error: error.message }, 'a mail could not be taken; its server tries again');
          done(refusal(451, 'Not now, try again'));
        })
        .finally(onTaken);
    },
  };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** What is looked at of a mail; undefined for too much, which is listened to, as the protocol wants. */
async function readBeginning(stream: SMTPServerDataStream, atMost: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (size < mostRead) chunks.push(chunk);
    size += chunk.length;
  }
  return size <= atMost ? Buffer.concat(chunks) : undefined;
}

/** Resolves once everything is stored. A mail that is not a report is accepted and dropped: a refusal would only become another mail. */
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
