export { answerOnce, runOnce } from './answer-once.js';
export { sweepKeys } from './queries.js';
