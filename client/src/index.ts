export { type Client, type ClientOptions, createClient } from './client.js';
export type { Clock } from './clock.js';
export { ApiFailure, type FailureCode, type FailureItem } from './failure.js';
export type { Fetch, FetchAnswer, FetchInit } from './fetch.js';
export type {
  Answer,
  AnswerData,
  CallArguments,
  CallInput,
  Page,
  PagedRoute,
  Pagination,
  RouteAddress,
} from './input.js';
export type { Patience } from './retry.js';
export {
  type DoneTransaction,
  type Transaction,
  TransactionFailure,
  type Transactions,
  type WaitOptions,
  type WriteKind,
} from './transactions.js';
export type { Upload } from './upload.js';
