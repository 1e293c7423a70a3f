import { isLockTimeout, passesByWaiting } from '../../../db/connect.js';
import type { Database } from '../../../db/database.js';
import { ApiError } from '../../../http/api-error.js';
import { queueAll, type Wanted } from './send-messages.js';

interface Waiting {
  wanted: Wanted;
  resolve(messageId: string): void;
  reject(error: unknown): void;
}

interface Line {
  waiting: Waiting[];
  trips: number;
}

// As with other writes: enough that all who ask at once share one trip, few enough that a statement stays short.
const mostInGroup = 256;
const mostCharacters = 1024 * 1024;
// One group commits while the next gathers, and neither waits for the other's disk flush.
const mostTrips = 2;

/**
 * Single messages of a tenant that are asked for while others are on their way to the disk go together in the next statement. One
 * statement each would wait for a disk flush each: a third of a bare INSERT over eight connections.
 */
export class GroupCommit {
  private readonly lines = new Map<number, Line>();

  constructor(private readonly db: Database) {}

  /** Answers the id. Throws a lock timeout when the contact is just being erased: nobody waits here. */
  queue(tenantId: number, wanted: Wanted): Promise<string> {
    return new Promise((resolve, reject) => {
      const line = this.lines.get(tenantId) ?? { waiting: [], trips: 0 };
      this.lines.set(tenantId, line);
      line.waiting.push({ wanted, resolve, reject });
      // One turn of the event loop gathers what came in the same read of the sockets.
      if (line.waiting.length === 1) setImmediate(() => this.send(tenantId, line));
    });
  }

  private send(tenantId: number, line: Line): void {
    while (line.trips < mostTrips && line.waiting.length > 0) {
      const group = takeGroup(line);
      line.trips++;
      void this.commit(tenantId, group).finally(() => {
        line.trips--;
        if (line.waiting.length > 0) this.send(tenantId, line);
        else if (line.trips === 0) this.lines.delete(tenantId);
      });
    }
  }

  private async commit(tenantId: number, group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await queueAll(
        this.db,
        tenantId,
        group.map(({ wanted }) => wanted),
        false,
      );
      group.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i] as string | ApiError;
        if (outcome instanceof ApiError) reject(outcome);
        else resolve(outcome);
      });
    } catch (error) {
      // A lost connection says nothing about the commit. A lock or a bad row is one message's: the others go without it.
      const isShared = passesByWaiting(error) && !isLockTimeout(error);
      if (group.length === 1 || isShared) for (const { reject } of group) reject(error);
      else await Promise.all(group.map((one) => this.commit(tenantId, [one])));
    }
  }
}

function takeGroup(line: Line): Waiting[] {
  let characters = 0;
  let count = 0;
  while (count < line.waiting.length && count < mostInGroup && characters < mostCharacters)
    characters += line.waiting[count++]?.wanted.data?.length ?? 0;
  return line.waiting.splice(0, count);
}
