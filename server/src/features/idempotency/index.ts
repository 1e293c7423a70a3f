export { answerOnce } from './answer-once.js';
export { sweepKeys } from './queries.js';
