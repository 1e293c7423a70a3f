// Identity providers of a workspace: added, changed and removed by its admins, and offered at sign-in.
import type { BodyValue, createIdentityProvider, DataValue, updateIdentityProvider } from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { ApiError, invalid, notFound } from '../../../http/api-error.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import { recordAudit } from '../../audit/index.js';
import { parseEmail } from '../../contacts/index.js';
import type { DnsResolver } from '../../sending/index.js';
import type { Sessions } from '../sessions/sessions.js';
import { type ProviderAddress, type ProviderClients, ProviderFault } from './client.js';
import { checkProofs, proofsOf, settleDomains } from './domains/domains.js';
import {
  deleteIdentities,
  deleteProvider,
  endSessionsBy,
  findProvider,
  hasIdentity,
  insertProvider,
  lockProvider,
  type OfferRow,
  type ProviderRow,
  revokeOtherWays,
  selectByDomain,
  updateProvider,
} from './queries.js';

export interface ProviderNeeds {
  db: Database;
  box: SecretBox;
  baseUrl: () => string;
  sessions: Sessions;
  clients: ProviderClients;
  resolver: DnsResolver;
}
type ShownProvider = DataValue<typeof createIdentityProvider>;

/** Who changes something, and from where. */
export interface By {
  tenantId: number;
  accountId: number;
  address: string;
}

const most = 20;
const mostOffered = 10;

// As in the drawer in queries.ts, which moves secrets to a new key.
const about = (tenantId: number, providerId: number) => `identity-provider:${tenantId}:${providerId}`;
const sealSecret = (box: SecretBox, tenantId: number, providerId: number, secret: string) =>
  box.seal(secret, about(tenantId, providerId)).toString('hex');

/** Throws SecretBoxError. */
export function addressOf(box: SecretBox, tenantId: number, provider: ProviderRow): ProviderAddress {
  const { providerId, issuer, clientId, clientSecret: sealed } = provider;
  const open = (hex: string) => box.open(Buffer.from(hex, 'hex'), about(tenantId, providerId)).toString('utf8');
  return { issuer, clientId, clientSecret: sealed === null ? undefined : open(sealed) };
}

export const callbackUrlOf = (baseUrl: string, tenantId: number) => `${baseUrl}/oauth/sso/${tenantId}/callback`;
export const signInPathOf = (tenantId: number, providerId: number) => `/oauth/sso/${tenantId}/${providerId}`;

export async function shown(
  { db, baseUrl }: Pick<ProviderNeeds, 'db' | 'baseUrl'>,
  tenantId: number,
  provider: ProviderRow,
): Promise<ShownProvider> {
  const { clientSecret, ...rest } = provider;
  return {
    ...{ ...rest, hasClientSecret: clientSecret !== null },
    domainProofs: await proofsOf(db, tenantId, provider.domains),
    callbackUrl: callbackUrlOf(baseUrl(), tenantId),
    signInUrl: `${baseUrl()}${signInPathOf(tenantId, provider.providerId)}`,
  };
}

export async function addProvider(
  needs: ProviderNeeds,
  by: By,
  body: BodyValue<typeof createIdentityProvider>,
): Promise<ShownProvider> {
  const { db, box } = needs;
  const { tenantId } = by;
  const { clientSecret, joinsAs = null, isRequired = false, ...rest } = body;
  checkDomains(body.domains);
  await checkIssuer(needs, { ...body, clientSecret: clientSecret ?? undefined });
  // It has not been used yet.
  if (isRequired) throw lockedOut('Create it without isRequired');
  const made = await db.transaction(async (tx) => {
    const row = await insertProvider(tx, tenantId, { ...rest, joinsAs, isRequired }, most);
    if (!row)
      throw new ApiError('INVALID_STATE', { reason: `There are ${most} identity providers already. Remove one.` });
    const sealed = clientSecret ? sealSecret(box, tenantId, row.providerId, clientSecret) : null;
    const whole = { ...row, clientSecret: sealed };
    await updateProvider(tx, tenantId, whole);
    await settleDomains(tx, tenantId, whole.domains);
    await recordAudit(tx, by, 'identity-provider.added', row.providerId, told(whole));
    return whole;
  });
  return shown(needs, tenantId, made);
}

export async function changeProvider(
  needs: ProviderNeeds,
  by: By,
  given: string,
  change: BodyValue<typeof updateIdentityProvider>,
): Promise<ShownProvider> {
  const { db, box } = needs;
  const { tenantId } = by;
  const { clientSecret, ...rest } = change;
  if (change.domains) checkDomains(change.domains);
  const before = await getProvider(db, tenantId, given);
  if (change.issuer !== undefined && change.issuer !== before.issuer) {
    refuseOldSecret(before, clientSecret);
    await checkIssuer(needs, { ...before, issuer: change.issuer, clientSecret: clientSecret ?? undefined });
  }
  const changed = await db.transaction(async (tx) => {
    const now = await lockProvider(tx, tenantId, before.providerId);
    if (!now) throw notFound('identity provider');
    // It may have been changed meanwhile.
    if (rest.issuer !== undefined && rest.issuer !== now.issuer) refuseOldSecret(now, clientSecret);
    const sealed = clientSecret ? sealSecret(box, tenantId, now.providerId, clientSecret) : null;
    const next: ProviderRow = { ...now, ...rest, clientSecret: clientSecret === undefined ? now.clientSecret : sealed };
    await settle(needs, tx, by, now, next);
    await updateProvider(tx, tenantId, next);
    await settleDomains(tx, tenantId, next.domains);
    const fields = Object.keys(change).filter((key) => change[key as keyof typeof change] !== undefined);
    await recordAudit(tx, by, 'identity-provider.changed', now.providerId, { changed: fields, ...told(next) });
    return next;
  });
  return shown(needs, tenantId, changed);
}

/** A secret belongs to one issuer, and must not be sent to another. */
function refuseOldSecret({ clientSecret: stored }: ProviderRow, given: string | null | undefined): void {
  if (stored !== null && given === undefined)
    throw invalid('clientSecret', 'was given for the issuer before: give it anew with another one, or null for none');
}

/** The effects of a change, and what forbids it. */
async function settle(
  { sessions }: ProviderNeeds,
  tx: Transaction,
  { tenantId, accountId }: By,
  now: ProviderRow,
  next: ProviderRow,
): Promise<void> {
  const { providerId } = now;
  if (next.issuer !== now.issuer) {
    if (next.isRequired)
      throw new ApiError('INVALID_STATE', {
        reason: 'People must come by this provider. Set isRequired to false before you change its issuer',
      });
    // Names from another issuer mean other people.
    await deleteIdentities(tx, tenantId, providerId);
    await endSessionsBy(tx, tenantId, providerId);
    sessions.changeIn(tx);
  }
  if (next.isRequired) await refuseUnproven(tx, tenantId, now, next);
  if (next.isRequired && !now.isRequired && !(await hasIdentity(tx, tenantId, providerId, accountId)))
    throw lockedOut('Leave isRequired false for now');
  if (next.isRequired) {
    await revokeOtherWays(tx, tenantId, next.domains);
    sessions.changeIn(tx);
  }
}

/** People find the provider by their address: if it is required, every domain must be proven. One that is already required stays so. */
async function refuseUnproven(tx: Transaction, tenantId: number, now: ProviderRow, next: ProviderRow): Promise<void> {
  const known = now.isRequired ? now.domains : [];
  const added = next.domains.filter((domain) => !known.includes(domain));
  const proven = (await proofsOf(tx, tenantId, added)).filter(({ isProven }) => isProven).map(({ domain }) => domain);
  const missing = added.find((domain) => !proven.includes(domain));
  if (missing)
    throw new ApiError('INVALID_STATE', {
      reason: `Prove ${missing} first: publish the record that domainProofs shows, then check it. Until then people cannot find it by their address`,
    });
}

/** Looks the domains of a provider up in DNS. */
export async function checkDomainsOf(needs: ProviderNeeds, by: By, given: string): Promise<ShownProvider> {
  const provider = await getProvider(needs.db, by.tenantId, given);
  // A backup of an older build has providers without a word to publish.
  await needs.db.transaction((tx) => settleDomains(tx, by.tenantId, provider.domains));
  await checkProofs(needs.db, needs.resolver, by, provider.domains);
  return shown(needs, by.tenantId, provider);
}

export async function removeProvider({ db, sessions }: ProviderNeeds, by: By, given: string): Promise<void> {
  const { tenantId } = by;
  const { providerId } = await getProvider(db, tenantId, given);
  await db.transaction(async (tx) => {
    await endSessionsBy(tx, tenantId, providerId);
    sessions.changeIn(tx);
    if (!(await deleteProvider(tx, tenantId, providerId))) throw notFound('identity provider');
    await settleDomains(tx, tenantId, []);
    await recordAudit(tx, by, 'identity-provider.removed', providerId);
  });
}

/** A way to sign in, for the page that offers it. */
export interface Offer extends Omit<OfferRow, 'issuer'> {
  /** Where the link leads: people should see it before they follow it. */
  host: string;
  path: string;
}

/** The providers that have proven the domain of an address, one per workspace. Looks only at the domain, so as not to reveal who has an account. */
export async function providersFor(db: Runner, given: string): Promise<Offer[]> {
  const email = parseEmail(given);
  if (email === undefined) return [];
  const rows = await selectByDomain(db, email.slice(email.lastIndexOf('@') + 1), mostOffered);
  return rows.map(({ issuer, ...row }) => ({
    ...{ ...row, host: new URL(issuer).host, path: signInPathOf(row.tenantId, row.providerId) },
  }));
}

async function getProvider(db: Runner, tenantId: number, given: string): Promise<ProviderRow> {
  const found = /^\d{1,15}$/.test(given) ? await findProvider(db, tenantId, Number(given)) : undefined;
  if (!found) throw notFound('identity provider');
  return found;
}

function lockedOut(first: string): ApiError {
  return new ApiError('INVALID_STATE', {
    reason: `So that you are not locked out: ${first}, sign in at its signInUrl with your own account, then set isRequired to true`,
  });
}

function checkDomains(domains: readonly string[]): void {
  const twice = domains.find((domain, i) => domains.indexOf(domain) !== i);
  if (twice) throw invalid('domains', `must have each once: ${twice} is there twice`);
}

async function checkIssuer({ clients }: ProviderNeeds, provider: ProviderAddress): Promise<void> {
  const fault = faultOfIssuer(provider.issuer);
  if (fault) throw invalid('issuer', fault);
  try {
    await clients.check(provider);
  } catch (error) {
    if (error instanceof ProviderFault) throw invalid('issuer', error.message);
    throw error;
  }
}

function faultOfIssuer(issuer: string): string | undefined {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isLoopback = /^(localhost|\[::1\]|127(\.\d+){3})$/.test(url?.hostname ?? '');
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback))
    return 'must be an address that starts with https://';
  if (url.username || url.search || url.hash) return 'must have no user, query or fragment';
  if (url.pathname.includes('/.well-known/')) return 'must be what stands before /.well-known/';
  return undefined;
}

/** For the audit log, without secrets. */
function told({ name, issuer, clientId, domains, isRequired, joinsAs }: ProviderRow) {
  return { name, issuer, clientId, domains, isRequired, joinsAs };
}
