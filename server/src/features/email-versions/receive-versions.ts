import type { DataValue, storeVersions as storeBatch, storeVersion } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import type { Call } from '../../http/endpoint.js';
import { answerOnce } from '../idempotency/index.js';
import { insertActivity } from './activity/queries.js';
import { readVersion } from './read-version.js';
import { reasonsOf, recordOutcomes, storeVersions, type VersionOutcome } from './store-versions.js';

/** Carries a refusal out of the transaction that it undoes. */
class Refused extends Error {
  constructor(readonly outcome: VersionOutcome & { ok: false }) {
    super('A version was refused');
  }
}

export async function receiveVersion(
  db: Database,
  call: Call<typeof storeVersion>,
): Promise<{ data: DataValue<typeof storeVersion>; replayed?: boolean }> {
  const { tenantId } = call.caller;
  try {
    return await answerOnce(db, call, async (tx) => {
      const outcomes = await storeVersions(tx, tenantId, [call.body]);
      const [outcome] = outcomes;
      if (outcome && !outcome.ok) throw new Refused(outcome);
      await recordOutcomes(tx, tenantId, outcomes);
      return { status: 'stored' as const };
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // In its own transaction: the refusal is stored, its Idempotency-Key is not.
    const { entry } = error.outcome;
    if (entry) await insertActivity(db, tenantId, [entry]);
    throw error.outcome.error;
  }
}

type Result = DataValue<typeof storeBatch>['results'][number];

export async function receiveBatch(
  db: Database,
  call: Call<typeof storeBatch>,
): Promise<{ data: DataValue<typeof storeBatch>; replayed?: boolean }> {
  const { tenantId } = call.caller;
  const { versions } = call.body;
  const answer = await answerOnce(db, call, async (tx) => {
    const outcomes = await storeVersions(tx, tenantId, versions);
    await recordOutcomes(tx, tenantId, outcomes);
    return outcomes.map(resultOf);
  });
  // The addresses come from the request, even on a replay: the stored answer must not contain them after an erasure.
  const results = answer.data.map((result, i): Result => {
    const { assetId, email } = readVersion(versions[i]);
    return { assetId, email, ...result };
  });
  return { ...answer, data: { results } };
}

function resultOf(outcome: VersionOutcome): Omit<Result, 'assetId' | 'email'> {
  if (outcome.ok) return { status: 'stored' };
  return { status: 'rejected', errorCode: outcome.error.code, reason: reasonsOf(outcome.error) };
}
