import type { Runner } from '../../../../db/database.js';
import { isAssetId } from '../../../../lib/ids.js';
import type { Json } from '../../queries.js';
import { findStoredForStats, type NamedJourney, type WonSplit } from './queries.js';

export interface JourneyForStats extends NamedJourney {
  /** Every version, the newest first; of a journey that was never active, what was last saved, as version null. */
  versions: readonly VersionForStats[];
}

interface VersionForStats {
  version: number | null;
  /** Percent, 0 without a holdout. */
  holdout: number;
  hasGoal: boolean;
  steps: readonly StepForStats[];
}

interface StepForStats {
  stepId: string;
  /** What people call it. */
  name: string | undefined;
  type: string;
  /** Of a step that sends one. */
  emailId: string | null;
  /** Of a split. */
  split: { arms: readonly string[]; winner: WonSplit | null } | null;
}

/** Nothing: there is no such journey. */
export async function findJourneyForStats(
  db: Runner,
  tenantId: number,
  journeyId: string,
): Promise<JourneyForStats | undefined> {
  const found = isAssetId(journeyId) ? await findStoredForStats(db, tenantId, journeyId) : undefined;
  if (!found) return undefined;
  const { saved, versions, ...journey } = found;
  if (versions.length > 0)
    return {
      ...journey,
      versions: versions.map(({ version, definition, winners }) => versionOf(version, definition, winners)),
    };
  return { ...journey, versions: saved === null ? [] : [versionOf(null, saved, {})] };
}

/** Without a reader's checks: a draft may say anything, and what was once active need not be so today. */
function versionOf(
  version: number | null,
  { holdout, goal, steps }: Json,
  winners: Readonly<Record<string, WonSplit>>,
): VersionForStats {
  return {
    version,
    holdout: typeof holdout === 'number' ? holdout : 0,
    hasGoal: typeof goal === 'object' && goal !== null,
    steps: listOf(steps).flatMap(({ id, name, type, emailId, arms }): StepForStats[] => {
      if (typeof id !== 'string' || typeof type !== 'string') return [];
      const names = listOf(arms).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
      return [
        {
          ...{ stepId: id, name: typeof name === 'string' ? name.trim() || undefined : undefined, type },
          emailId: typeof emailId === 'string' ? emailId : null,
          split: type === 'split' ? { arms: names, winner: winners[id] ?? null } : null,
        },
      ];
    }),
  };
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];
}
