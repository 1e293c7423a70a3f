import { type Duplex, Readable } from 'node:stream';
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { unreachable } from './address.js';
import type { Mail } from './build.js';
import { MailNotSent, type Stage } from './transport.js';

/** What nodemailer says about a failure. */
export interface SmtpError extends Error {
  code?: string;
  /** From the system: ECONNREFUSED. */
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** Not taken, and what was being done then. */
export class SmtpFailure extends Error {
  constructor(
    readonly stage: Stage,
    readonly why: SmtpError,
  ) {
    super(why.message);
  }
}

interface SignIn {
  user: string;
  pass: string;
}

/** A message that knows whether the server has asked for it: that is when nodemailer pipes it. */
class Body extends Readable {
  isBegun = false;

  constructor(private readonly raw: Buffer) {
    super();
  }

  /**
   * `data` escapes dots, ends the message with a dot and is already piped to the connection. A paused stream gives all it has in
   * one read, so message and dot leave in one write: a dot in a packet of its own may wait for the server's delayed ACK.
   */
  override pipe<T extends NodeJS.WritableStream>(data: T): T {
    const escaped = data as NodeJS.WritableStream as Duplex;
    this.isBegun = true;
    escaped.pause();
    escaped.end(this.raw);
    setImmediate(() => {
      escaped.read();
      escaped.resume();
    });
    return data;
  }
}

// Milliseconds.
const goodbye = 1000;

/** One connection to a mail server, for one message after the other. */
export class Session {
  /** How many messages it was given. */
  uses = 0;
  isOver = false;
  private readonly connection: SMTPConnection;
  private stage: Stage = 'connect';
  private isOpen = false;
  private takesUtf8 = false;
  /** The message that is being sent. */
  private body: Body | undefined;
  /** The server still has the state of a refused message. */
  private isDirty = false;
  private fail: (error: Error) => void = () => undefined;

  constructor(
    options: SMTPConnectionOptions,
    private readonly signIn: SignIn | undefined,
    onOver: (session: Session) => void,
    private readonly locate?: (host: string) => Promise<string>,
  ) {
    this.connection = new SMTPConnection(options);
    this.connection.on('error', (error) => this.fail(error));
    this.connection.once('end', () => {
      this.isOver = true;
      // The error that ended it may arrive at this moment.
      queueMicrotask(() => this.fail(lost()));
      onOver(this);
    });
  }

  /** Returns what the server said. Throws SmtpFailure, or MailNotSent if the server need not be asked. */
  async send({ from, to, raw }: Mail): Promise<string> {
    this.uses++;
    try {
      if (!this.isOpen) await this.open();
      this.stage = 'mail';
      this.body = undefined;
      if (this.isDirty) await this.step((done) => this.connection.reset(done));
      this.isDirty = false;
      if ((from.needsUtf8 || to.needsUtf8) && !this.takesUtf8) throw unreachable.needsUtf8();
      // Without its size: a server that finds it too big must say so to DATA, where it is about the message.
      const envelope = { from: from.address, to: [to.address] };
      const body = new Body(raw);
      this.body = body;
      const { response } = await this.step<{ response: string }>((done) => this.connection.send(envelope, body, done));
      return response;
    } catch (error) {
      if (error instanceof MailNotSent) throw error;
      this.isDirty = true;
      if (!isRefusal(error as SmtpError)) this.close();
      throw new SmtpFailure(this.stageOf(error as SmtpError), error as SmtpError);
    }
  }

  /** Connects and signs in, without a message. Throws SmtpFailure. */
  async greet(): Promise<void> {
    try {
      await this.open();
    } catch (error) {
      this.close();
      throw new SmtpFailure(this.stageOf(error as SmtpError), error as SmtpError);
    }
  }

  /** Once it is connected. */
  get isEncrypted(): boolean {
    return this.connection.secure;
  }

  get offersSignIn(): boolean {
    return this.connection.allowsAuth;
  }

  private async open(): Promise<void> {
    // What was checked is what is called. The certificate must still be that of the name, which the connection has noted.
    if (this.locate) this.connection.host = await this.locateOr(this.locate(this.connection.host));
    await this.step((done) => this.connection.connect((error?: Error | null) => done(error)));
    this.takesUtf8 = /^250[ -]SMTPUTF8\b/im.test(this.connection.lastServerResponse || '');
    const { signIn } = this;
    if (signIn && this.connection.allowsAuth) {
      this.stage = 'auth';
      await this.step((done) => this.connection.login({ user: signIn.user, pass: signIn.pass }, done));
    }
    this.isOpen = true;
  }

  /** Ends when the caller gives up meanwhile. */
  private locateOr(locating: Promise<string>): Promise<string> {
    return this.step((done) => {
      locating.then(
        (address) => done(null, address),
        (error: NodeJS.ErrnoException) =>
          done(smtpError(error.code === 'EINSIDE' ? error.code : 'EDNS', error.message)),
      );
    });
  }

  /** Ends with the error of the connection too: not every callback of nodemailer comes when it is lost. */
  private step<T>(run: (done: (error?: Error | null, value?: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      this.fail = reject;
      if (this.isOver) reject(lost());
      else run((error, value) => (error ? reject(error) : resolve(value as T)));
    });
  }

  /** Ends what is being done with this error, and the connection with it. */
  abandon(error: Error): void {
    this.fail(error);
    this.close();
  }

  close(): void {
    this.connection.close();
  }

  /** Says goodbye if nothing is in flight, and does not wait long for an answer. */
  quit(): void {
    if (this.isOpen && !this.isOver) this.connection.quit();
    setTimeout(() => this.close(), this.isOpen ? goodbye : 0).unref();
  }

  /** Where an error has come from. */
  private stageOf({ command = '' }: SmtpError): Stage {
    if (this.stage !== 'mail') return this.stage;
    if (command === 'MAIL FROM') return 'mail';
    if (command === 'RCPT TO') return 'rcpt';
    if (command === 'DATA') return 'data';
    // Lost in the middle. Once the message was on its way, the server may have it.
    return this.body?.isBegun ? 'data' : 'mail';
  }
}

function lost(): SmtpError {
  return smtpError('ECONNECTION', 'The connection was closed.');
}

export function smtpError(code: string, words: string): SmtpError {
  return Object.assign(new Error(words), { code });
}

/** Only about the message: the connection can be used for the next one. */
function isRefusal({ code, responseCode = 0 }: SmtpError): boolean {
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 400 && responseCode !== 421;
}
