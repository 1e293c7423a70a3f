// Inviting people into a workspace: a link that works once, for a week. Only the SHA-256 of its secret is kept.
import { hash } from 'node:crypto';
import type { Role } from '@rapport/contract';
import type { Database, Transaction } from '../../../db/database.js';
import type { Page, PageOf } from '../../../db/paged.js';
import { ApiError, notFound } from '../../../http/api-error.js';
import { randomToken } from '../../../lib/random.js';
import { normalizeEmail } from '../../../lib/text.js';
import { type Actor, recordAudit } from '../../audit/index.js';
import type { AccountMail } from '../mail/account-mail.js';
import { invitationLetter } from '../mail/letters.js';
import { type Limit, takeTry } from '../throttle/throttle.js';
import {
  findMember,
  type InvitationRow,
  insertInvitation,
  lockInvitation,
  lockWorkspace,
  renewInvitation,
  revokeInvitationRow,
  revokeOthers,
  selectInvitations,
  setMailHash,
} from './queries.js';

export type Invitation = InvitationRow;

/** The only answer that has the link: show it at once, because it cannot be read again. */
export interface InvitationMade extends Invitation {
  link: string;
  /** Whether a mail with the link is sent. Without a mail server, or after too many mails, the inviter hands the link over. */
  isMailed: boolean;
}

interface InvitationNeeds {
  db: Database;
  baseUrl: () => string;
  mail: AccountMail;
}

export const invitationPath = '/oauth/invitation';
const days = 7;

/** These mails leave through the service's own server with words that a workspace chooses: they must not flood a mailbox or spam strangers. */
const mailLimits = (tenantId: number, emailFolded: string): Limit[] => [
  { key: `invite-mail-to:${emailFolded}`, most: 10, seconds: 3600 },
  { key: `invite-mail-of:${tenantId}`, most: 200, seconds: 3600 },
];

export class Invitations {
  constructor(private readonly needs: InvitationNeeds) {}

  /**
   * Invites an address. Replaces an open invitation to the same address.
   * @param actor whose `accountId` is null for an operator.
   */
  async create(tx: Transaction, actor: Actor, wanted: { email: string; role: Role }): Promise<InvitationMade> {
    const { tenantId } = actor;
    const emailFolded = normalizeEmail(wanted.email);
    const names = await lockWorkspace(tx, tenantId, actor.accountId);
    if (!names) throw notFound('tenant');
    await refuseMember(tx, tenantId, emailFolded);
    const replaced = await revokeOthers(tx, tenantId, emailFolded);
    const secret = randomToken('');
    const row = await insertInvitation(tx, {
      ...{ tenantId, emailFolded, days, email: wanted.email.trim(), role: wanted.role },
      ...{ invitedBy: actor.accountId, secretHash: hash('sha256', secret) },
    });
    const made = await this.send(tx, tenantId, row, secret, names);
    const { invitationId, role } = row;
    await recordAudit(tx, actor, 'person.invited', invitationId, {
      role,
      ...(replaced.length > 0 ? { replaces: replaced } : {}),
    });
    return made;
  }

  /** Newest first, whatever became of them. */
  list(tenantId: number, page: PageOf): Promise<Page<Invitation>> {
    return selectInvitations(this.needs.db, tenantId, page);
  }

  /** Its link no longer works. Revoking twice changes nothing. */
  async revoke(tx: Transaction, actor: Actor, invitationId: number): Promise<Invitation> {
    const { tenantId } = actor;
    const known = await lockInvitation(tx, tenantId, invitationId);
    if (!known) throw notFound('invitation');
    if (known.status === 'accepted') throw tooLate('It was accepted. Deactivate the person instead.');
    if (known.status === 'revoked') return known;
    const row = await revokeInvitationRow(tx, tenantId, invitationId);
    await recordAudit(tx, actor, 'invitation.revoked', invitationId);
    return row;
  }

  /** New links for another week, even if the last ones expired. The old ones stop working. */
  async resend(tx: Transaction, actor: Actor, invitationId: number): Promise<InvitationMade> {
    const { tenantId, accountId: invitedBy } = actor;
    const names = await lockWorkspace(tx, tenantId, invitedBy);
    const known = names && (await lockInvitation(tx, tenantId, invitationId));
    if (!known) throw notFound('invitation');
    if (known.status === 'accepted') throw tooLate('It was accepted: there is nothing to send.');
    if (known.status === 'revoked') throw tooLate('It was revoked. Invite the person anew.');
    await refuseMember(tx, tenantId, normalizeEmail(known.email));
    const secret = randomToken('');
    const renewed = { secretHash: hash('sha256', secret), invitedBy, days };
    const row = await renewInvitation(tx, tenantId, invitationId, renewed);
    const made = await this.send(tx, tenantId, row, secret, names);
    await recordAudit(tx, actor, 'person.invited', invitationId, { role: row.role, isAgain: true });
    return made;
  }

  private linkOf(secret: string): string {
    return `${this.needs.baseUrl()}${invitationPath}?token=${secret}`;
  }

  private async send(
    tx: Transaction,
    tenantId: number,
    row: InvitationRow,
    secret: string,
    names: { workspace: string; inviter: string | null },
  ): Promise<InvitationMade> {
    const link = this.linkOf(secret);
    const { role, expiresAt } = row;
    const { mail } = this.needs;
    if (!mail.isOn || (await takeTry(tx, mailLimits(tenantId, normalizeEmail(row.email)))) > 0)
      return { ...row, link, isMailed: false };
    // The mail has a link of its own: using it proves the mailbox. The link shown to the inviter does not.
    const mailed = randomToken('');
    const letter = invitationLetter({ ...names, role, link: this.linkOf(mailed), expiresAt });
    const isMailed = await mail.enqueue(tx, tenantId, row.email, letter);
    if (isMailed) await setMailHash(tx, tenantId, row.invitationId, hash('sha256', mailed));
    return { ...row, link, isMailed };
  }
}

/** The inviter is an admin of the workspace, so may know who belongs to it. */
async function refuseMember(tx: Transaction, tenantId: number, emailFolded: string): Promise<void> {
  const member = await findMember(tx, tenantId, emailFolded);
  if (!member) return;
  throw tooLate(
    member.isActive
      ? 'This person belongs to the workspace already. Change their role instead.'
      : 'This person belongs to the workspace and is deactivated. Reactivate them instead.',
  );
}

function tooLate(reason: string): ApiError {
  return new ApiError('INVALID_STATE', { reason });
}
