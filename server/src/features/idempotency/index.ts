export { answerOnce, runOnce } from './answer-once.js';
export { effectOnce } from './effect-once.js';
export { forgetKeys, sweepKeys } from './queries.js';
