// Mail about accounts: invitations and resets. Leaves only through the service's own mail server: everyone in a workspace can
// read its outbox, and a workspace's own server belongs to its admins.
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Transaction } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { newMessageUuid } from '../../../lib/ids.js';
import { parseJson } from '../../../lib/parse-json.js';
import { random } from '../../../lib/random.js';
import { type SecretBox, SecretBoxError } from '../../../lib/secret-box.js';
import { wireAddress } from '../../../mail/address.js';
import { nextAttemptAt } from '../../../mail/next-attempt.js';
import { MailNotSent, type Transport } from '../../../mail/transport.js';
import type { Queue, Watch } from '../../../work/queue.js';
import { htmlOf, type Letter, textOf } from './letters.js';
import {
  type ClaimedMail,
  claimMails,
  deleteMail,
  insertMail,
  putOffMail,
  selectMailHeads,
  selectWaitingMail,
} from './queries.js';

export interface AccountMailNeeds {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  box: SecretBox;
  baseUrl: () => string;
  /** The service's own. */
  transport: Transport;
  /** ACCOUNT_MAIL_FROM. Unset: no-reply at `mailHost`, else at the host of the base URL. */
  from?: string | undefined;
  mailHost?: string | undefined;
  /** There is mail to send. */
  wake(): void;
}

const kind = 'account-mail';
const hourMs = 3_600_000;
const longestHours = 24;
// Twice the default time to wait for a mail server. After this, mail that a killed process held is due again.
const leaseSeconds = 120;
const atOnce = 5;

const about = (tenantId: number, mailId: string) => `${kind}:${tenantId}:${mailId}`;

export class AccountMail {
  constructor(private readonly needs: AccountMailNeeds) {}

  /** Whether there is a mail server. Without one nothing is queued. */
  get isOn(): boolean {
    return this.needs.transport.name === 'smtp';
  }

  /** Why no mail reaches an account with this address; null for a program. Null if it does. */
  obstacleTo(address: string | null): 'noAddress' | 'noMailServer' | null {
    if (address === null) return 'noAddress';
    return this.isOn ? null : 'noMailServer';
  }

  /**
   * Queues a letter in the transaction of the change it is about: it leaves once that commits. Returns whether it will.
   * @param tenantId null: nothing is to leave, but the time it takes must not tell.
   */
  async enqueue(tx: Transaction, tenantId: number | null, address: string, letter: Letter): Promise<boolean> {
    if (!this.isOn) return false;
    await insertMail(tx, { tenantId, address, ...this.seal(tenantId ?? 0, letter) });
    tx.afterCommit(() => this.needs.wake());
    return true;
  }

  /** Undefined without a mail server. */
  get queues(): readonly Queue[] {
    if (!this.isOn) return [];
    return [
      {
        ...{ name: kind, hands: 1, pollMs: 5000, waiting: selectWaitingMail },
        due: async () => {
          const heads = await selectMailHeads(this.needs.db.background);
          const later = heads.filter(({ waitMs }) => waitMs > 0).map(({ waitMs }) => waitMs);
          const tenants = heads.filter(({ waitMs }) => waitMs <= 0).map(({ tenantId }) => tenantId);
          return { tenants, nextInMs: later.length > 0 ? Math.min(...later) : undefined };
        },
        serve: (tenantId, watch) => this.serve(tenantId, watch),
      },
    ];
  }

  /** Has the link in it: reading the database must not be a way in. */
  private seal(tenantId: number, letter: Letter): { mailId: string; sealed: string } {
    // In the form in which the database returns it: the sealed text is bound to it.
    const mailId = newMessageUuid();
    const sealed = this.needs.box.seal(JSON.stringify(letter), about(tenantId, mailId)).toString('hex');
    return { mailId, sealed };
  }

  private async serve(tenantId: number, watch: Watch): Promise<number> {
    const claimed = await claimMails(this.needs.db.background, tenantId, atOnce, leaseSeconds);
    await Promise.all(claimed.map((mail) => this.send(mail, watch)));
    return claimed.length;
  }

  /** The row is deleted after the mail has left. If the process is killed in between, the mail leaves twice, under the same Message-ID. */
  private async send(mail: ClaimedMail, watch: Watch): Promise<void> {
    const { box, clock, transport, db } = this.needs;
    const { tenantId, mailId } = mail;
    let usefulUntil: string | undefined;
    try {
      const letter = parseJson(box.open(Buffer.from(mail.sealed, 'hex'), about(tenantId, mailId)).toString()) as Letter;
      usefulUntil = letter.usefulUntil;
      if (Date.parse(usefulUntil) <= clock.now().getTime()) return await this.giveUp(mail, watch, tooLate());
      await transport.send(this.messageOf(mail, letter));
    } catch (error) {
      return this.failed(mail, error as Error, usefulUntil, watch);
    }
    await deleteMail(db.background, tenantId, mailId);
    watch.done(kind, 1);
  }

  private messageOf({ tenantId, mailId, address }: ClaimedMail, letter: Letter) {
    const email = this.sender();
    const { subject } = letter;
    return {
      ...{ tenantId, to: address, subject, text: textOf(letter), html: htmlOf(letter), isAutomatic: true },
      ...{ from: { email, name: 'Rapport' }, replyTo: email, forEmail: null },
      messageId: `<${mailId}@${email.slice(email.lastIndexOf('@') + 1)}>`,
    };
  }

  private sender(): string {
    const { from, mailHost, baseUrl } = this.needs;
    const usual = `no-reply@${mailHost ?? new URL(baseUrl()).hostname}`;
    // An IPv6 address is not a mail domain.
    return from ?? wireAddress(usual)?.address ?? 'no-reply@localhost';
  }

  private async failed(mail: ClaimedMail, error: Error, usefulUntil: string | undefined, watch: Watch): Promise<void> {
    const { db, clock } = this.needs;
    const isHopeless = error instanceof MailNotSent && error.outlook === 'refused';
    const queuedAt = Date.parse(mail.queuedAt);
    const usefulHours = usefulUntil === undefined ? longestHours : (Date.parse(usefulUntil) - queuedAt) / hourMs;
    const now = clock.now().getTime();
    const hours = { longestHours: Math.min(longestHours, usefulHours) };
    const next = isHopeless ? null : nextAttemptAt(mail.attempts, queuedAt, now, random, hours);
    if (next === null) return this.giveUp(mail, watch, error);
    await putOffMail(db.background, mail.tenantId, mail.mailId, next - now, wordsOf(error));
    watch.retried(kind, mail.tenantId, harmless(error));
  }

  private async giveUp(mail: ClaimedMail, watch: Watch, error: Error): Promise<void> {
    const { tenantId, mailId, attempts } = mail;
    await deleteMail(this.needs.db.background, tenantId, mailId);
    watch.failed(kind, tenantId, harmless(error));
    this.needs.log.error(
      { tenantId, mailId, attempts, reason: wordsOf(error) },
      'an account mail was given up: ask for it again, or hand the link over in another way',
    );
  }
}

function tooLate(): Error {
  return new MailNotSent('its link had expired before it could leave', {
    ...{ outlook: 'refused', stage: 'connect', code: null },
    reply: 'its link had expired before it could leave',
  });
}

/** One line without addresses. */
function wordsOf(error: Error): string {
  if (error instanceof MailNotSent) return error.reply;
  return error instanceof SecretBoxError ? error.message : `an unexpected error: ${error.name}`;
}

function harmless(error: Error): Error {
  return error instanceof MailNotSent || error instanceof SecretBoxError ? error : new Error(wordsOf(error));
}
