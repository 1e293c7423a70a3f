// The parts of a journey's statistics: steps, splits, holdout.
import type { JourneyStats } from '@rapport/contract';
import type { Static } from 'typebox';
import { compareRates, type Share } from '../../lib/compare-rates.js';
import { isAssetId } from '../../lib/ids.js';
import type { JourneyForStats, WonSplit } from '../journeys/index.js';
import type { FigureRow } from '../messages/index.js';
import { noCounts, share, showCounts, showFigures, sumCountsBy } from './figures-shown.js';
import type { PassageBook } from './passage.js';

type JourneyStatsData = Static<typeof JourneyStats>;
type Decision = NonNullable<JourneyStatsData['splits'][number]['decision']>;
type Holdout = NonNullable<JourneyStatsData['holdout']>;
/** How many entered, and how many of them reached the goal. */
interface Group {
  entered: number;
  reachedGoal: number;
}
interface Books {
  inWindow: PassageBook;
  ever: PassageBook;
}

/** What can be shown of a journey, over all its versions. A draft may contain anything: invalid parts are left out. */
export interface JourneyPlan {
  /** The steps of the newest version in their order, then those that only earlier versions had. */
  steps: { stepId: string; name: string | undefined; type: string; isNew: boolean; emailIds: string[] }[];
  /** From the newest version that has the split; then arms that only earlier versions had. */
  splits: { stepId: string; isNew: boolean; winner: WonSplit | null; arms: { name: string; isNew: boolean }[] }[];
  /** Percent. */
  holdout: number;
}

export function planOf({ versions }: JourneyForStats): JourneyPlan {
  const steps = new Map<string, JourneyPlan['steps'][number]>();
  const splits = new Map<string, JourneyPlan['splits'][number]>();
  for (const [age, version] of versions.entries()) {
    const isNew = age === 0;
    for (const { stepId, name, type, emailId, split } of version.steps) {
      const step = steps.get(stepId) ?? { stepId, name, type, isNew, emailIds: [] };
      steps.set(stepId, step);
      if (emailId !== null && isAssetId(emailId)) step.emailIds.push(emailId);
      if (!split) continue;
      const known = splits.get(stepId);
      const more = split.arms.filter((name) => !known?.arms.some((arm) => arm.name === name));
      const arms = [...(known?.arms ?? []), ...more.map((name) => ({ name, isNew: !known }))];
      splits.set(stepId, { ...(known ?? { stepId, isNew, winner: split.winner }), arms });
    }
  }
  return { steps: [...steps.values()], splits: [...splits.values()], holdout: percentOf(versions[0]?.holdout) };
}

/** Roughly how many counters a journey has: those of a step by name, and by how long contacts stay. */
export function countersOf({ steps }: JourneyPlan): number {
  return 10 * (steps.length + 1);
}

function percentOf(holdout = 0): number {
  return Number.isInteger(holdout) && holdout >= 0 && holdout <= 50 ? holdout : 0;
}

/** A step that a later version removed is shown as long as it has figures. */
export function showSteps(
  { steps }: JourneyPlan,
  { inWindow, ever }: Books,
  rows: readonly FigureRow[],
): JourneyStatsData['steps'] {
  const counts = sumCountsBy(rows, ({ stepId }) => stepId);
  return steps.flatMap(({ stepId, name, type, isNew, emailIds }) => {
    const [entered, left] = [inWindow.count(stepId, 'entered'), inWindow.count(stepId, 'left')];
    const inProgress = ever.count(stepId, 'entered') - ever.count(stepId, 'left');
    const own = counts.get(stepId);
    if (!isNew && !own && entered + left + inProgress === 0) return [];
    const sends = type === 'sendEmail' || emailIds.length > 0 || own !== undefined;
    const figures = sends ? showCounts(own ?? noCounts()) : {};
    return [{ stepId, ...(name === undefined ? {} : { name }), type, entered, left, inProgress, ...figures }];
  });
}

export function showSplits(
  { splits }: JourneyPlan,
  { inWindow }: Books,
  rows: readonly FigureRow[],
): JourneyStatsData['splits'] {
  // Step ids have no spaces; the name of an arm may contain anything.
  const counts = sumCountsBy(rows, ({ stepId, arm }) => `${stepId} ${arm}`);
  return splits.flatMap(({ stepId, isNew, winner, arms }) => {
    const shown = arms.flatMap((arm) => {
      const part = `arm:${arm.name}`;
      const group = {
        entered: inWindow.count(stepId, 'entered', part),
        reachedGoal: inWindow.count(stepId, 'goal', part),
      };
      const own = counts.get(`${stepId} ${arm.name}`);
      const isEmpty = !own && group.entered + group.reachedGoal === 0;
      if (isEmpty && !(isNew && arm.isNew)) return [];
      return [{ name: arm.name, ...showGroup(group), ...showFigures(own ?? noCounts()) }];
    });
    return isNew || shown.length > 0
      ? [{ stepId, winner: winner?.arm ?? null, decision: winner && decisionOf(winner), arms: shown }]
      : [];
  });
}

/** The confidence of the decision. An earlier build decided only by the rate; then it is unknown. */
function decisionOf({ arm: _arm, ...decision }: WonSplit): Decision {
  return decision;
}

/** The totals include contacts who get no mail; the treated ones are the rest. */
export function showHoldout({ holdout }: JourneyPlan, { inWindow }: Books): Holdout | null {
  const held = {
    entered: inWindow.count(null, 'entered', 'holdout'),
    reachedGoal: inWindow.count(null, 'goal', 'holdout'),
  };
  if (holdout === 0 && held.entered + held.reachedGoal === 0) return null;
  const treated = {
    entered: inWindow.count(null, 'entered') - held.entered,
    reachedGoal: inWindow.count(null, 'goal') - held.reachedGoal,
  };
  return { percent: holdout, ...compareGroups(treated, held) };
}

/** Those who get the messages beside those who do not. */
export function compareGroups(treated: Group, held: Group): Omit<Holdout, 'percent'> {
  return {
    ...{ treated: showGroup(treated), held: showGroup(held) },
    ...compareRates(shareOf(treated), shareOf(held)),
    method: 'newcombe',
  };
}

function shareOf({ entered, reachedGoal }: Group): Share {
  return { part: reachedGoal, whole: entered };
}

function showGroup({ entered, reachedGoal }: Group) {
  return { entered, reachedGoal, goalRate: share(reachedGoal, entered) };
}
