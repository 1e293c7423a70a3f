import { journeyLimits, winnerMeasures } from '@rapport/contract';
import { FilterFault, readDuration, readOneOf, readText, readWhole } from '../../filter-language/index.js';
import type { Arm, Step, Winner } from './definition.js';
import { Part } from './part.js';
import { noDuration, readParts } from './read-values.js';
import type { Way } from './way.js';

/** In the place of a percent that could not be read. */
const unknown = Number.NaN;

/** `hasGoal`: there is one to win by. */
export function readSplit(
  part: Part,
  way: Way,
  hasGoal: boolean,
): Pick<Extract<Step, { type: 'split' }>, 'arms' | 'winner'> {
  const fallback = way.look(part, 'next', way.following);
  const arms = readParts(part, 'arms', journeyLimits.arms, 'arms', (value, place) =>
    readArm(value, place, part, way, fallback),
  );
  if (arms === undefined) way.isBroken = true;
  checkArms(arms ?? [], part);
  const winner = part.optionalPart('winner');
  return { arms: arms ?? [], winner: winner && readWinner(winner, hasGoal) };
}

function readArm(value: unknown, place: string, { faults }: Part, way: Way, fallback: string | null): Arm {
  const arm = Part.of(value, place, faults);
  if (arm === undefined) {
    way.isBroken = true;
    return { name: '', percent: unknown, next: null };
  }
  const read: Arm = {
    name: arm.wanted('name', readText, ''),
    percent: arm.wanted('percent', (percent, at) => readWhole(percent, at, 0, 100), unknown),
    next: way.go(arm, 'next', fallback),
  };
  arm.end();
  return read;
}

function checkArms(arms: readonly Arm[], part: Part): void {
  const place = part.placeOf('arms');
  const names = arms.map((arm) => arm.name);
  names.forEach((name, i) => {
    if (name !== '' && names.indexOf(name) < i) part.faults.add(`${place}[${i}].name`, 'another arm has this name');
  });
  const sum = arms.reduce((all, arm) => all + arm.percent, 0);
  // The sum is unknown if a percent could not be read.
  if (arms.length > 0 && sum !== 100 && !Number.isNaN(sum))
    part.faults.add(place, `the percents sum to ${sum}, not to 100`);
}

function readWinner(part: Part, hasGoal: boolean): Winner {
  const winner: Winner = {
    by: part.wanted('by', (value, place) => readBy(value, place, hasGoal), 'clicked'),
    after: part.wanted('after', readDuration, noDuration),
    minimum: part.wanted('minimum', (value, place) => readWhole(value, place, 1), 1),
  };
  part.end();
  return winner;
}

function readBy(value: unknown, place: string, hasGoal: boolean): Winner['by'] {
  const by = readOneOf(winnerMeasures)(value, place);
  if (by === 'goal' && !hasGoal) throw new FilterFault(place, 'the definition has no goal to win by');
  return by;
}
