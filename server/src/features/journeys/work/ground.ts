import type { Transaction } from '../../../db/database.js';
import type { Definition } from '../definition/definition.js';
import type { LiveJourney } from './queries.js';

/** Where and when a turn takes place. */
export interface Ground {
  readonly tx: Transaction;
  readonly tenantId: number;
  /** The moment of the turn, as the API writes times and as milliseconds. */
  readonly at: string;
  readonly now: number;
  /** Of the tenant. */
  readonly timeZone: string;
  /** Those that are live, by number. */
  readonly journeys: ReadonlyMap<number, LiveJourney>;
  /** Nothing where this process cannot read it. */
  definitionOf(journeyNo: number, version: number): Promise<Definition | undefined>;
}
