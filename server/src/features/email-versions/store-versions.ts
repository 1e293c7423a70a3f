import type { Transaction } from '../../db/database.js';
import { ApiError, invalid, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { holdContacts } from '../contacts/index.js';
import { selectLiveIds } from '../emails/index.js';
import { type Entry, insertActivity } from './activity/queries.js';
import { faultOf, literalTokens } from './check-html.js';
import { type NewVersion, upsertVersions } from './queries.js';
import { type Arrival, readVersion } from './read-version.js';

/** The outcome of an arrival. `entry` is set if its asset is known: then it is on the activity. */
export type VersionOutcome = { assetId: string | null; email: string | null; entry?: Entry } & (
  | { ok: true; version: NewVersion }
  | { ok: false; error: ApiError }
);

/** Stores one or many versions. A refused one changes nothing, and does not affect others. Writes no activity. */
export async function storeVersions(
  tx: Transaction,
  tenantId: number,
  items: readonly unknown[],
): Promise<VersionOutcome[]> {
  const arrivals = items.map(readVersion);
  const assetIds = arrivals.flatMap(({ assetId }) => (assetId !== null && isAssetId(assetId) ? assetId : []));
  const assets = await selectLiveIds(tx, tenantId, [...new Set(assetIds)]);
  const emails = arrivals.flatMap(({ read }) => (read.ok ? read.version.email : []));
  const contacts = await holdContacts(tx, tenantId, [...new Set(emails)]);
  const outcomes = arrivals.map((arrival) => decide(arrival, assets, contacts));
  // If there are two for one contact, the last counts, as if they had come one after the other.
  const latest = new Map(
    outcomes.flatMap((outcome) => (outcome.ok ? [[keyOf(outcome.version), outcome.version]] : [])),
  );
  const fresh = await upsertVersions(tx, tenantId, [...latest.values()]);
  return outcomes.map((outcome) =>
    outcome.ok ? { ...outcome, entry: storedEntry(outcome.version, outcome.email, fresh) } : outcome,
  );
}

export async function recordOutcomes(
  tx: Transaction,
  tenantId: number,
  outcomes: readonly VersionOutcome[],
): Promise<void> {
  await insertActivity(
    tx,
    tenantId,
    outcomes.flatMap(({ entry }) => entry ?? []),
  );
}

/** Checks the shape, then the asset, then the contact, then the html. */
function decide({ assetId, email, read }: Arrival, assets: Set<string>, contacts: Map<string, string>): VersionOutcome {
  const named = { assetId, email };
  const isKnown = assetId !== null && assets.has(assetId);
  const refuse = (error: ApiError): VersionOutcome => ({
    ...named,
    ok: false,
    error,
    ...(isKnown ? { entry: { assetId, email, outcome: 'rejected', reason: reasonsOf(error) } } : {}),
  });
  if (!read.ok) return refuse(read.error);
  if (!isKnown) return refuse(notFound('email'));
  const { version } = read;
  const contactId = contacts.get(version.email);
  if (contactId === undefined) return refuse(new ApiError('BAS-E-002'));
  const fault = faultOf(version.html);
  if (fault) return refuse(invalid('html', fault));
  const { subject = null, preheader = null, html, expiresAt = null } = version;
  return {
    ...named,
    email: version.email,
    ok: true,
    version: { assetId, contactId, subject, preheader, html, expiresAt },
  };
}

function keyOf({ assetId, contactId }: NewVersion): string {
  return `${assetId}:${contactId}`;
}

// The first new one of an asset and contact is stored, later ones replace it.
function storedEntry(version: NewVersion, email: string | null, fresh: Set<string>): Entry {
  const isNew = fresh.delete(keyOf(version));
  const problems = literalTokens(version).map(({ message }) => message);
  const reason = problems.length > 0 ? problems.join(' ') : null;
  return { assetId: version.assetId, email, outcome: isNew ? 'stored' : 'replaced', reason };
}

export function reasonsOf(error: ApiError): string {
  return error.items.map((item) => item.message).join(' ');
}
