// How mail leaves, and what keeps it from arriving: shown before people send.
import type { DataValue, getSendingSetup } from '@rapport/contract';
import type { Runner } from '../../db/database.js';
import { selectTransportRows, selectUnverified } from './queries.js';
import { isLocal } from './records.js';

export type SendingSetup = DataValue<typeof getSendingSetup>;
export type SendingWarning = SendingSetup['warnings'][number];

interface Installation {
  /** Without one, messages are kept in the outbox. */
  hasMailServer: boolean;
  baseUrl: string;
}

/** @param domains of the senders. Undefined: all that are approved. */
export async function readSetup(
  db: Runner,
  tenantId: number,
  { hasMailServer, baseUrl }: Installation,
  domains?: readonly string[],
): Promise<SendingSetup> {
  const hasOwn = (await selectTransportRows(db, [tenantId])).length > 0;
  const mailServer = hasOwn ? 'workspace' : hasMailServer ? 'installation' : 'outbox';
  const unverified = await selectUnverified(db, tenantId, domains);
  return {
    mailServer,
    warnings: [
      ...(mailServer === 'outbox' ? [{ code: 'noMailServer' as const, domain: null, message: noMailServer }] : []),
      ...(isLocal(baseUrl) ? [{ code: 'localBaseUrl' as const, domain: null, message: localBaseUrl(baseUrl) }] : []),
      ...unverified.map((domain) => ({ code: 'unverifiedDomain' as const, domain, message: notVerified(domain) })),
    ],
  };
}

const noMailServer =
  'There is no mail server: messages are kept in the outbox and reach no one. Set SMTP_URL, or a mail server for the workspace.';
const localBaseUrl = (baseUrl: string) =>
  `Links, unsubscribing included, lead to ${baseUrl}, which only this machine reaches. Set BASE_URL to the public address of the service.`;
const notVerified = (domain: string) =>
  `${domain} is not verified: mailboxes may refuse email from it or take it for spam. Publish its DNS records, then check the domain.`;
