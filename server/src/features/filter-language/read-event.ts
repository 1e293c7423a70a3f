// Conditions on product events: what is measured, and what is asked of it.
import { countKeys, eventMeasures, type MeasureName, namesOf, windowKeys } from '@rapport/contract';
import { FilterFault, placeOf } from './fault.js';
import { readTest } from './read-test.js';
import type { Reading } from './read-tree.js';
import { type Fields, has, quoted, readName, readOneOf, readPath, readWanted, refuseOthers } from './read-value.js';
import { readWhere } from './read-where.js';
import { readCount, readSpan, readWindow } from './read-window.js';
import type { EventCondition, Measure, ValueTest } from './tree.js';

const measuresOf = namesOf(eventMeasures).filter((name) => eventMeasures[name].hasOf);

const plainKeys: readonly string[] = ['event', 'measure', 'where'];

export function readEvent(fields: Fields, path: string, reading: Reading): EventCondition {
  const name = readName(fields.event, placeOf(path, 'event'));
  const kind = has(fields, 'measure')
    ? readOneOf(namesOf(eventMeasures))(fields.measure, placeOf(path, 'measure'))
    : 'count';
  const measure = readMeasure(kind, fields, path);
  const window = kind === 'first' || kind === 'last' ? readSpan(fields, path) : readWindow(fields, path);
  const where = has(fields, 'where') ? { where: readWhere(fields.where, placeOf(path, 'where'), reading) } : {};
  return { kind: 'event', path, name, measure, window, ...where };
}

function readMeasure(kind: MeasureName, fields: Fields, path: string): Measure {
  if (has(fields, 'of') && !measuresOf.includes(kind)) {
    throw new FilterFault(placeOf(path, 'of'), `"of" belongs to the measures ${quoted(measuresOf, 'and')} only`);
  }
  switch (kind) {
    case 'count':
      refuseOthers(fields, path, [...plainKeys, ...countKeys, ...windowKeys]);
      return { of: kind, count: readCount(fields, path) };
    case 'distinct':
      refuseOthers(fields, path, [...plainKeys, 'of', ...countKeys, ...windowKeys]);
      return { of: kind, at: readOf(fields, path), count: readCount(fields, path) };
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return { of: kind, at: readOf(fields, path), test: readNumberTest(kind, fields, path) };
    case 'first':
    case 'last':
      return { of: kind, test: readTest(fields, path, [...plainKeys, 'from', 'to'], eventMeasures[kind].takes) };
    case 'latest':
      return {
        of: kind,
        at: readOf(fields, path),
        test: readTest(fields, path, besideValue, eventMeasures[kind].takes),
      };
  }
}
const besideValue: readonly string[] = [...plainKeys, 'of', ...windowKeys];

function readOf(fields: Fields, path: string): readonly string[] {
  return readWanted(fields, path, 'of', readPath);
}

function readNumberTest(kind: 'sum' | 'avg' | 'min' | 'max', fields: Fields, path: string): ValueTest {
  const test = readTest(fields, path, besideValue, eventMeasures[kind].takes);
  if (test.op === 'is' && typeof test.value !== 'number') {
    throw new FilterFault(placeOf(path, 'is'), 'a number is wanted');
  }
  return test;
}
