// A tenant's own mail server: its address is checked, kept sealed, and shown without its password.
import type {
  BodyValue,
  DataValue,
  getTransport as getTransportRoute,
  setTransport as setTransportRoute,
} from '@rapport/contract';
import type { Runner } from '../../db/database.js';
import { ApiError, invalid, notFound } from '../../http/api-error.js';
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.js';
import { selectTransportRows, type TransportRow, upsertTransport } from './queries.js';
import { about } from './secrets.js';
import { addressOf, hostOf, partsOf, type WantedServer } from './server-address.js';

export interface OwnTransport {
  tenantId: number;
  /** With its password. */
  smtpUrl: string;
  rate: number | null;
  maxConnections: number | null;
  /** It must be on the public internet: the workspace set it, not an operator. */
  isGuarded: boolean;
  updatedAt: string;
}
/** Why a host must not be reached, as the end of a sentence that begins with the field. Undefined if it may be. */
export type FaultOfHost = (host: string) => string | undefined;

type ShownTransport = DataValue<typeof getTransportRoute>;

/** Those of these tenants that have one. Throws SecretBoxError if an address cannot be read. */
export async function selectTransports(
  db: Runner,
  box: SecretBox,
  tenantIds: readonly number[],
): Promise<OwnTransport[]> {
  return (await selectTransportRows(db, tenantIds)).map((row) => opened(box, row));
}

function opened(box: SecretBox, { sealed, ...row }: TransportRow): OwnTransport {
  return { ...row, smtpUrl: box.open(Buffer.from(sealed, 'hex'), about('smtp', row.tenantId)).toString() };
}

export type NewTransport = BodyValue<typeof setTransportRoute>;

/** @param guard of a server that a workspace names; operators may name any. */
export async function setTransport(
  db: Runner,
  box: SecretBox,
  tenantId: number,
  wanted: NewTransport,
  guard?: FaultOfHost,
): Promise<ShownTransport> {
  const smtpUrl = await readServer(db, box, tenantId, wanted, guard);
  const row = await upsertTransport(db, tenantId, {
    isGuarded: guard !== undefined,
    sealed: box.seal(smtpUrl, about('smtp', tenantId)).toString('hex'),
    rate: wanted.rate ?? null,
    maxConnections: wanted.maxConnections ?? null,
  });
  return shown(opened(box, row));
}

/** The address of a server that somebody names, with its password. Throws a 400 with the field at fault. */
export async function readServer(
  db: Runner,
  box: SecretBox,
  tenantId: number,
  wanted: WantedServer,
  guard?: FaultOfHost,
): Promise<string> {
  const keeps = wanted.smtpUrl === undefined && wanted.password === undefined;
  const smtpUrl = addressOf(wanted, keeps ? await findStored(db, box, tenantId) : undefined);
  const fault = faultOf(smtpUrl) ?? guard?.(hostOf(smtpUrl));
  if (fault) throw invalid(wanted.smtpUrl === undefined ? 'host' : 'smtpUrl', fault);
  return smtpUrl;
}

/** Undefined also if it cannot be read: then it can only be replaced. */
async function findStored(db: Runner, box: SecretBox, tenantId: number): Promise<string | undefined> {
  try {
    return (await selectTransports(db, box, [tenantId]))[0]?.smtpUrl;
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined;
    throw error;
  }
}

export async function getTransport(db: Runner, box: SecretBox, tenantId: number): Promise<ShownTransport> {
  return shown(await getOwn(db, box, tenantId));
}

/** With its password. Throws if there is none, or it cannot be read. */
export async function getOwn(db: Runner, box: SecretBox, tenantId: number): Promise<OwnTransport> {
  try {
    const [transport] = await selectTransports(db, box, [tenantId]);
    if (!transport) throw notFound('transport');
    return transport;
  } catch (cause) {
    if (!(cause instanceof SecretBoxError)) throw cause;
    throw new ApiError('INVALID_STATE', { reason: cause.message }, { cause });
  }
}

function shown({ tenantId: _, isGuarded: _guarded, smtpUrl, ...rest }: OwnTransport): ShownTransport {
  return { smtpUrl: withoutPassword(smtpUrl), ...partsOf(smtpUrl), ...rest };
}

// The options that the mail client may take from an address: those about the server, none about files or other hosts.
const options = ['requireTLS', 'ignoreTLS', 'name', 'tls.servername', 'tls.rejectUnauthorized'];

/** What is wrong with the address of a mail server, as the end of a sentence. */
function faultOf(text: string): string | undefined {
  const url = /^[\x21-\x7e]+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    return 'must be an address such as smtp://user:password@host:587 or smtps://host, with %-codes for other characters';
  if (!/^\/?$/.test(url.pathname) || url.hash !== '')
    return 'must end after host and port; write / and # in a password as %2F and %23';
  for (const part of [url.username, url.password]) if (!isDecodable(part)) return 'must have % in a password as %25';
  const unknown = [...url.searchParams.keys()].find((name) => !options.includes(name));
  return unknown === undefined ? undefined : `must have no other options than ${options.join(', ')}`;
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** `smtp://user:***@host:587`. Some providers use one secret as both user and password: then neither is shown. */
export function withoutPassword(smtpUrl: string): string {
  const { protocol, username, password, host, search } = new URL(smtpUrl);
  const user = username === password && username !== '' ? '***' : username;
  const signIn = username || password ? `${user}${password ? ':***' : ''}@` : '';
  return `${protocol}//${signIn}${host}${search}`;
}
