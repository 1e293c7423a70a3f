import type { Background } from '../../db/database.js';
import { inSteps } from '../../work/chores.js';
import { sweepKeys } from './queries.js';

export { answerOnce, runOnce } from './answer-once.js';
export { effectOnce } from './effect-once.js';
export { forgetKeys } from './queries.js';
export { secretOnce } from './secret-once.js';

export function idempotency({ background }: { background: Background }) {
  const sweep = (atMost: number) => sweepKeys(background, atMost);
  return {
    chores: [{ name: 'idempotency keys', everyMs: 60_000, run: (signal: AbortSignal) => inSteps(sweep, signal) }],
  };
}
