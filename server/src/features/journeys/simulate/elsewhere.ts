// Journeys that a simulation starts and takes contacts out of. They are not simulated themselves: contacts who are started there stay until they are taken out.
import type { Reentry } from '../definition/definition.js';
import { mayEnter } from '../definition/reentry.js';

/** A contact that has been in a journey. */
export interface Past {
  readonly journeyId: string;
  readonly contactId: string;
  /** Milliseconds since 1970. */
  readonly lastEntry: number;
  readonly isActive: boolean;
}

const keyOf = (journeyId: string, contactId: string) => `${journeyId}:${contactId}`;

export class Elsewhere {
  private readonly lastEntries = new Map<string, number>();
  private readonly active = new Set<string>();

  /** `startable`: how contacts may enter again those that a step may start. */
  constructor(
    private readonly startable: ReadonlyMap<string, Reentry>,
    past: readonly Past[],
  ) {
    for (const { journeyId, contactId, lastEntry, isActive } of past) {
      this.lastEntries.set(keyOf(journeyId, contactId), lastEntry);
      if (isActive) this.active.add(keyOf(journeyId, contactId));
    }
  }

  /** False: no step can start it. */
  start(journeyId: string, contactId: string, now: number): boolean {
    const reentry = this.startable.get(journeyId);
    if (reentry === undefined) return false;
    const key = keyOf(journeyId, contactId);
    if (mayEnter(reentry, this.lastEntries.get(key), this.active.has(key), now)) {
      this.lastEntries.set(key, now);
      this.active.add(key);
    }
    return true;
  }

  /** False: the contact was not in it. */
  leave(journeyId: string, contactId: string): boolean {
    return this.active.delete(keyOf(journeyId, contactId));
  }
}
