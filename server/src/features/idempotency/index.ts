export { answerOnce, runOnce } from './answer-once.js';
export { forgetKeys, sweepKeys } from './queries.js';
