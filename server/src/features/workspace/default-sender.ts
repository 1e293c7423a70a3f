// The sender of new emails, unless their author names another.
import * as contract from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { type Actor, recordAudit } from '../audit/index.js';
import { isSendingDomain } from '../sending/index.js';
import { type DefaultSender, findDefaultSender, updateDefaultSender } from '../tenants/index.js';
import { actorOf, type WorkspaceNeeds } from './needs.js';

export function defaultSenderEndpoints({ db }: Pick<WorkspaceNeeds, 'db'>): Endpoint[] {
  return [
    endpoint(contract.getDefaultSender, async ({ caller }) => ({ data: await findDefaultSender(db, caller.tenantId) })),
    endpoint(contract.setDefaultSender, async (call) => ({
      data: await db.transaction((tx) => setDefaultSender(tx, actorOf(call), call.body)),
    })),
  ];
}

/** The domain is checked as that of an email is. */
async function setDefaultSender(
  tx: Transaction,
  actor: Actor,
  { fromEmail, replyTo }: contract.BodyValue<typeof contract.setDefaultSender>,
): Promise<DefaultSender> {
  const domain = fromEmail?.email.slice(fromEmail.email.lastIndexOf('@') + 1);
  if (domain !== undefined && !(await isSendingDomain(tx, actor.tenantId, domain)))
    throw new ApiError('UnapprovedEmailDomainException', { domain }, { detail: 'fromEmail.email' });
  const sender = {
    fromEmail: fromEmail ? { email: fromEmail.email, name: fromEmail.name ?? null } : null,
    replyTo: replyTo ?? null,
  };
  await updateDefaultSender(tx, actor.tenantId, sender);
  await recordAudit(tx, actor, 'workspace.changed', null, { defaultSender: sender });
  return sender;
}
