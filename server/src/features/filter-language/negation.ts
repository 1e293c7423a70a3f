// Every negative operator is the exact negation of its positive one: only those need a meaning.
import type { ValueTest } from './tree.js';

type PositiveOp = 'is' | 'in' | 'contains' | 'withinLast';
const positives: Readonly<Record<string, PositiveOp>> = {
  isNot: 'is',
  notIn: 'in',
  notContains: 'contains',
  notWithinLast: 'withinLast',
};

export function splitNegation(test: ValueTest): { positive: ValueTest; isNegative: boolean } {
  if (test.op === 'exists') return { positive: { op: 'exists', value: true }, isNegative: !test.value };
  const op = positives[test.op];
  return op ? { positive: { ...test, op } as ValueTest, isNegative: true } : { positive: test, isNegative: false };
}

/** Whether an operator is one of the negative ones; of `exists` its value says so. */
export function isNegative(op: ValueTest['op']): boolean {
  return Object.hasOwn(positives, op);
}
