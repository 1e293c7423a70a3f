// What a column of a file becomes.
import type { DateFormat } from '../dates/date-format.ts';
import type { StatusReading } from './words.ts';

export const columnTypes = ['text', 'number', 'boolean', 'date'] as const;
export type ColumnType = (typeof columnTypes)[number];

export type Target =
  | { kind: 'email' }
  /** `format`: of a date. `isSure`: whether it was clear which number is the day. */
  | { kind: 'property'; key: string; type: ColumnType; format?: DateFormat; isSure?: boolean }
  /** The key of a topic; empty until one is chosen. Its cells say yes, no or nothing. */
  | { kind: 'topic'; key: string }
  /** Its cells name static lists, several separated by semicolons. */
  | { kind: 'list' }
  /** Its cells say why the address must get no mail. `topicKey`: contacts that are subscribed there are subscribed to this topic; empty: to none. */
  | { kind: 'status'; reading: StatusReading; topicKey: string }
  | { kind: 'skip' };

export interface MappedColumn {
  /** Its name in the file. */
  name: string;
  target: Target;
  /** The first few different values. */
  samples: readonly string[];
}

/** The choice for a column, by its name in the file. */
export type ColumnChoice = Pick<MappedColumn, 'name' | 'target'>;

/** What holds for every row. */
export interface ForAll {
  /** A static list that everyone joins; empty: none. */
  listId: string;
  /** The key of a topic that everyone agreed to; empty: none. */
  topicKey: string;
  /** The person who imports vouches that they did. */
  isAgreed: boolean;
}

export const forNobody: ForAll = { listId: '', topicKey: '', isAgreed: false };

export interface Known {
  /** The type of each property that the tenant already has. */
  types: ReadonlyMap<string, string | undefined>;
  /** The name of each topic, by its key. */
  topics: ReadonlyMap<string, string>;
  /** The name of each static list, by its id. */
  lists: ReadonlyMap<string, string>;
}
