import type { Mail } from './build.js';
import { type Session, SmtpFailure, smtpError } from './smtp-session.js';

interface PoolLimits {
  connections: number;
  /** Milliseconds, from the call to the answer. */
  perMessage: number;
}

// Many servers close a connection after a hundred messages by themselves.
const mostUses = 100;
// Milliseconds. Less than a server waits, and less than what nodemailer considers a hanging connection.
const idleFor = 15_000;

/** A message that waits for a connection, or is being sent. */
interface Turn {
  /** Ends it, whatever it waits for. */
  end(error: Error): void;
}

/** A few connections that stay open. Each takes one message at a time, after the last one's outcome is stored; the rest wait in line. */
export class SmtpPool {
  private readonly idle: { session: Session; timer: NodeJS.Timeout }[] = [];
  private readonly sessions = new Set<Session>();
  private readonly line: { give(session: Session): void; end(error: Error): void }[] = [];
  private isClosed = false;

  constructor(
    private readonly connect: (onOver: (session: Session) => void) => Session,
    private readonly limits: PoolLimits,
  ) {}

  /** Returns what the server said. The connection is held until that is `stored`. */
  async send(mail: Mail, stored?: Promise<unknown>): Promise<string> {
    const turn: Turn = { end: () => undefined };
    const late = () => turn.end(smtpError('ETIMEDOUT', 'The mail server took too long.'));
    const timer = setTimeout(late, this.limits.perMessage);
    try {
      const first = await this.attempt(mail, turn, stored, true);
      return first ?? ((await this.attempt(mail, turn, stored, false)) as string);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Undefined: a kept connection was gone before the message was begun. Another may take it. */
  private async attempt(
    mail: Mail,
    turn: Turn,
    stored: Promise<unknown> | undefined,
    mayRepeat: boolean,
  ): Promise<string | undefined> {
    const session = await this.take(turn);
    turn.end = (error) => session.abandon(error);
    try {
      return await session.send(mail);
    } catch (error) {
      if (mayRepeat && session.uses > 1 && wasGone(error)) return undefined;
      throw error;
    } finally {
      turn.end = () => undefined;
      const giveBack = () => this.giveBack(session);
      if (stored) void stored.then(giveBack, giveBack);
      else giveBack();
    }
  }

  private take(turn: Turn): Promise<Session> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(closed());
      const next = this.idle.pop();
      if (next) {
        clearTimeout(next.timer);
        return resolve(next.session);
      }
      if (this.sessions.size < this.limits.connections) return resolve(this.open());
      const wait = { give: resolve, end: reject };
      this.line.push(wait);
      turn.end = (error) => {
        this.line.splice(this.line.indexOf(wait), 1);
        reject(new SmtpFailure('connect', error));
      };
    });
  }

  private open(): Session {
    const session = this.connect((over) => this.forget(over));
    this.sessions.add(session);
    return session;
  }

  private giveBack(session: Session): void {
    // Without a goodbye: while a server answers that, it still counts the connection.
    if (session.uses >= mostUses || this.isClosed) session.close();
    if (session.isOver) this.serve();
    else if (this.line.length > 0) this.line.shift()?.give(session);
    else this.keep(session);
  }

  private keep(session: Session): void {
    const timer = setTimeout(() => {
      this.forget(session);
      session.quit();
    }, idleFor);
    timer.unref();
    this.idle.push({ session, timer });
  }

  /** A connection that is over makes room for another. */
  private forget(session: Session): void {
    this.sessions.delete(session);
    const at = this.idle.findIndex((entry) => entry.session === session);
    if (at >= 0) clearTimeout(this.idle.splice(at, 1)[0]?.timer);
    this.serve();
  }

  private serve(): void {
    while (this.sessions.size < this.limits.connections) {
      const next = this.line.shift();
      if (!next) return;
      next.give(this.open());
    }
  }

  /** Messages in flight may arrive; waiting ones will not leave. */
  close(): void {
    this.isClosed = true;
    for (const { end } of this.line.splice(0)) end(closed());
    for (const { session, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      session.quit();
    }
  }
}

function wasGone(error: unknown): boolean {
  if (!(error instanceof SmtpFailure) || error.stage !== 'mail') return false;
  const { code, responseCode } = error.why;
  return responseCode === 421 || (responseCode === undefined && (code === 'ECONNECTION' || code === 'ESOCKET'));
}

function closed(): SmtpFailure {
  return new SmtpFailure('connect', smtpError('ECONNECTION', 'The transport is closed.'));
}
