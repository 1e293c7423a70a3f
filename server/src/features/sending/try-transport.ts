// Tries a mail server while it is being set up: with a real mail where there is a sender and a recipient.
import type { BodyValue, DataValue, testWorkspaceTransport } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { ApiError, invalid } from '../../http/api-error.js';
import { notReady } from '../../http/error-handler.js';
import { newMessageId } from '../../lib/ids.js';
import { Places } from '../../lib/places.js';
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.js';
import type { Locate } from '../../mail/smtp.js';
import type { Message } from '../../mail/transport.js';
import type { MailServerTrial } from '../../mail/try-server.js';
import { findSigners } from './domain-keys.js';
import { findFirstDomain, isSendingDomain } from './queries.js';
import { hostOf, partsOf } from './server-address.js';
import { type FaultOfHost, getOwn, readServer } from './transports.js';
import { sayTrial } from './trial-words.js';

type Wanted = BodyValue<typeof testWorkspaceTransport>;
type Told = DataValue<typeof testWorkspaceTransport>;

interface TrialNeeds {
  db: Database;
  box: SecretBox;
  /** What we call ourselves to mail servers. */
  mailHost?: string | undefined;
  /** The address of a host on the public internet; throws for any other. */
  addressOfHost?: Locate | undefined;
}

// A server may take 20 s to fail. Others wait a moment, and are then told to try again.
const places = new Places({
  ...{ places: 8, mostEach: 2, waitMs: 1000, mostWaiting: 4 },
  refuse: () => notReady({ reason: 'earlier tests of a mail server are still running; try again', retryAfter: 10 }),
});

/** @param to who gets the mail unless the request says. */
export async function tryTransport(
  { db, box, mailHost, addressOfHost }: TrialNeeds,
  tenantId: number,
  wanted: Wanted,
  to: string | null,
  guard: FaultOfHost,
): Promise<Told> {
  const { smtpUrl, isGuarded } = await serverOf(db, box, tenantId, wanted, guard);
  const message = await messageOf(db, box, tenantId, wanted, to, hostOf(smtpUrl));
  // Only here, because a service without a mail server never needs the mail client.
  const { tryServer } = await import('../../mail/try-server.js');
  const giveBack = await places.take(tenantId);
  let trial: MailServerTrial;
  try {
    trial = await tryServer(smtpUrl, message, { name: mailHost, locate: isGuarded ? addressOfHost : undefined });
  } finally {
    giveBack();
  }
  const [sender, recipient] = [message?.from.email ?? null, message?.to ?? null];
  return {
    ...trial,
    ok: trial.problem === null,
    message: sayTrial(trial, { ...partsOf(smtpUrl), from: sender, to: recipient }),
    ...{ from: sender, to: recipient },
  };
}

async function serverOf(db: Database, box: SecretBox, tenantId: number, wanted: Wanted, guard: FaultOfHost) {
  const isGiven = wanted.host !== undefined || wanted.smtpUrl !== undefined;
  if (!isGiven) return getOwn(db, box, tenantId);
  return { smtpUrl: await readServer(db, box, tenantId, wanted, guard), isGuarded: true };
}

/** Undefined if there is no one to send from or to. */
async function messageOf(
  db: Database,
  box: SecretBox,
  tenantId: number,
  wanted: Wanted,
  ownAddress: string | null,
  host: string,
): Promise<Message | undefined> {
  const from = await senderOf(db, tenantId, wanted.from);
  const to = wanted.to ?? ownAddress;
  if (from === undefined || to === null) return undefined;
  const text = `This mail was sent by Rapport to try the mail server ${host}. It arrived, so the server works.`;
  return {
    ...{ tenantId, messageId: newMessageId(from), from: { email: from, name: 'Rapport' }, to, forEmail: null },
    ...{ replyTo: from, subject: `Test of the mail server ${host}`, text, html: `<p>${text}</p>`, isAutomatic: true },
    signer: (await signerOf(db, box, tenantId, domainOf(from))) ?? null,
  };
}

async function senderOf(db: Database, tenantId: number, wanted: string | undefined): Promise<string | undefined> {
  if (wanted === undefined) {
    const domain = await findFirstDomain(db, tenantId);
    return domain && `test@${domain}`;
  }
  if (!(await isSendingDomain(db, tenantId, domainOf(wanted))))
    throw invalid('from', 'must be an address at one of the sending domains');
  return wanted;
}

async function signerOf(db: Database, box: SecretBox, tenantId: number, domain: string) {
  try {
    return (await findSigners(db, box, tenantId, [domain])).get(domain);
  } catch (cause) {
    if (!(cause instanceof SecretBoxError)) throw cause;
    throw new ApiError('INVALID_STATE', { reason: cause.message }, { cause });
  }
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);
