// The one operator of a condition on a value.
import {
  filterLimits,
  isOperator,
  type Operand,
  type Operator,
  operators,
  valueOperators,
  type Wanting,
} from '@rapport/contract';
import { FilterFault, placeOf } from './fault.js';
import {
  type Fields,
  quoted,
  readBoolean,
  readDuration,
  readList,
  readNumber,
  readScalar,
  readText,
  readTime,
} from './read-value.js';
import type { ValueTest } from './tree.js';

/** Reads the operator among `taken`. `beside` are the other keys of the condition; anything else is refused. */
export function readTest(
  fields: Fields,
  path: string,
  beside: readonly string[],
  taken: readonly Operator[] = valueOperators,
): ValueTest {
  const found: Operator[] = [];
  for (const key of Object.keys(fields)) {
    if (beside.includes(key)) continue;
    const operator = taken.find((one) => one === key);
    if (operator === undefined) throw new FilterFault(placeOf(path, key), whyNot(key, taken));
    found.push(operator);
  }
  const [operator, second] = found;
  if (operator === undefined) throw new FilterFault(path, `an operator is wanted: ${quoted(taken)}`);
  if (second !== undefined) throw new FilterFault(path, `one operator is wanted, not ${quoted(found, 'and')}`);
  return readOperator(operator, fields[operator], placeOf(path, operator));
}

function whyNot(key: string, taken: readonly Operator[]): string {
  if (key === 'hasEverBeen') return 'only a property of a contact takes this operator';
  return isOperator(key) ? `this operator cannot stand here, only ${quoted(taken)}` : 'not known here';
}

const readers: { readonly [Wanted in Operand]: (op: Wanting<Wanted>, value: unknown, path: string) => ValueTest } = {
  scalar: (op, value, path) => ({ op, value: readScalar(value, path) }),
  scalars: (op, value, path) => {
    const given = readList(value, path, 1, filterLimits.values, 'values');
    return { op, values: given.map((one, i) => readScalar(one, `${path}[${i}]`)) };
  },
  text: (op, value, path) => ({ op, text: readText(value, path) }),
  flag: (op, value, path) => ({ op, value: readBoolean(value, path) }),
  number: (op, value, path) => ({ op, value: readNumber(value, path) }),
  range: (op, value, path) => ({ op, ...readBounds(value, path) }),
  time: (op, value, path) => ({ op, at: readTime(value, path) }),
  duration: (op, value, path) => ({ op, duration: readDuration(value, path) }),
};

/** Reads what one operator wants. */
export function readOperator(op: Operator, value: unknown, path: string): ValueTest {
  const read = readers[operators[op].wants] as (op: Operator, value: unknown, path: string) => ValueTest;
  return read(op, value, path);
}

function readBounds(value: unknown, path: string): { low: number; high: number } {
  if (!Array.isArray(value) || value.length !== 2) throw new FilterFault(path, 'two numbers are wanted: [low, high]');
  const low = readNumber(value[0], `${path}[0]`);
  const high = readNumber(value[1], `${path}[1]`);
  if (low > high) throw new FilterFault(path, 'the bounds are reversed: the lower one comes first');
  return { low, high };
}
