// Events in an order.
import { filterLimits } from '@rapport/contract';
import { FilterFault, placeOf } from './fault.js';
import type { Reading } from './read-tree.js';
import {
  type Fields,
  has,
  readDuration,
  readKey,
  readList,
  readName,
  readObject,
  readWanted,
  refuseOthers,
} from './read-value.js';
import { readWhere } from './read-where.js';
import type { SequenceCondition, SequenceStep } from './tree.js';

export function readSequence(fields: Fields, path: string, reading: Reading): SequenceCondition {
  refuseOthers(fields, path, ['sequence', 'withinLast']);
  const place = placeOf(path, 'sequence');
  const list = readList(fields.sequence, place, filterLimits.fewestSteps, filterLimits.mostSteps, 'steps');
  const steps = list.map((step, i) => readStep(step, `${place}[${i}]`, reading));
  steps.forEach((step, i) => {
    requireOrder(step, i, steps.length, `${place}[${i}]`);
  });
  const withinLast = readKey(fields, path, 'withinLast', readDuration);
  return { kind: 'sequence', path, steps, ...(withinLast === undefined ? {} : { withinLast }) };
}

function readStep(json: unknown, path: string, reading: Reading): SequenceStep {
  const fields = readObject(json, path, 'a step is wanted: an object with an "event"');
  refuseOthers(fields, path, ['event', 'where', 'within', 'not']);
  const name = readWanted(fields, path, 'event', readName);
  const within = readKey(fields, path, 'within', readDuration);
  const not = readKey(fields, path, 'not', readTrue) ?? false;
  const where = has(fields, 'where') ? { where: readWhere(fields.where, placeOf(path, 'where'), reading) } : {};
  return { name, not, ...(within === undefined ? {} : { within }), ...where };
}

function requireOrder(step: SequenceStep, index: number, count: number, path: string): void {
  if (index === 0 && step.within !== undefined) {
    throw new FilterFault(placeOf(path, 'within'), 'the first step has no "within": nothing comes before it');
  }
  if (!step.not) return;
  if (index < count - 1) throw new FilterFault(placeOf(path, 'not'), 'only the last step may be "not"');
  if (step.within === undefined) throw new FilterFault(path, 'a step that is "not" needs a "within"');
}

function readTrue(value: unknown, path: string): true {
  if (value !== true) throw new FilterFault(path, 'true is wanted, or nothing');
  return value;
}
