// Every negative operator is the exact negation of its positive one: only those need a meaning.
import { negatedBy } from '@rapport/contract';
import type { ValueTest } from './tree.js';

export function splitNegation(test: ValueTest): { positive: ValueTest; isNegative: boolean } {
  if (test.op === 'exists') return { positive: { op: 'exists', value: true }, isNegative: !test.value };
  const op = negatedBy(test.op);
  return op ? { positive: { ...test, op } as ValueTest, isNegative: true } : { positive: test, isNegative: false };
}
