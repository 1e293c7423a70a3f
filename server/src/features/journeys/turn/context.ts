import type { Transaction } from '../../../db/database.js';
import { timeZoneOf } from '../../tenants/index.js';
import type { Definition } from '../definition/definition.js';
import type { Interests } from '../news/interests.js';
import { type LiveJourney, selectLive } from './queries.js';

/** What holds for a whole turn: its transaction, its moment, and the journeys that are live. */
export interface TurnContext {
  readonly tx: Transaction;
  readonly tenantId: number;
  /** The moment of the turn, as the API writes times and as milliseconds. */
  readonly at: string;
  readonly now: number;
  /** Of the tenant. */
  readonly timeZone: string;
  /** Those that are live, by number. */
  readonly journeys: ReadonlyMap<number, LiveJourney>;
  /** A split of one of their versions may have a winner. */
  readonly hasWinners: boolean;
  /** Somebody in the journey may be waiting for such an event. */
  waitsFor(journeyNo: number, eventName: string): boolean;
  /** Nothing where this process cannot read it. */
  definitionOf(journeyNo: number, version: number): Promise<Definition | undefined>;
}

/** The tenant's journeys, which cannot be edited until the transaction ends. */
export async function turnContextOf(
  interests: Interests,
  tx: Transaction,
  tenantId: number,
  at: string,
): Promise<TurnContext> {
  const { unreadable, hasWinners, interest } = await interests.holdAll(tx, tenantId);
  const live = (await selectLive(tx, tenantId)).filter(({ journeyNo }) => !unreadable.has(journeyNo));
  return {
    tx,
    tenantId,
    at,
    now: Date.parse(at),
    timeZone: await timeZoneOf(tx, tenantId),
    journeys: new Map(live.map((journey) => [journey.journeyNo, journey])),
    hasWinners,
    waitsFor: (journeyNo, eventName) => interest.isWaiting(journeyNo, eventName),
    definitionOf: (journeyNo, version) => interests.definitionOf(tx, tenantId, journeyNo, version),
  };
}
