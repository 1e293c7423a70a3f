// Bodies of writes that this process acknowledged and will most likely apply, so that they need not be read back and parsed again, which was a
// fifth of the cost of a batch. Only a shortcut: a body that is not held here is read from its row.
import { type Clock, systemClock } from '../../lib/clock.js';
import { parseLong } from '../../lib/long-json.js';
import type { PendingWrite } from './queries.js';

// Characters of JSON. Parsed, it takes several times as much memory.
const mostHeld = 4 * 1024 * 1024;
const longestHeld = 256 * 1024;
// Below this, looking it up costs as much as reading it.
const shortestHeld = 4096;
// Milliseconds. Bodies still here after this were applied by another process.
const longestWait = 10_000;

interface Held {
  readonly tenantId: number;
  readonly body: unknown;
  readonly size: number;
  readonly since: number;
}

export class Handover {
  private readonly held = new Map<string, Held>();
  private size = 0;
  /** Undefined in a process that only acknowledges. */
  private isOpen = false;

  constructor(private readonly clock: Clock = systemClock) {}

  /** Called once its write is committed. If there is no room, the older ones stay: they are applied first. */
  put(tenantId: number, uuid: string, body: unknown, size: number): void {
    if (!this.isOpen || size < shortestHeld || size > longestHeld || this.size + size > mostHeld) return;
    this.held.set(uuid, { tenantId, body, size, since: this.clock.elapsed() });
    this.size += size;
  }

  /** By id. They stay until they are dropped. */
  of(tenantId: number): Map<string, unknown> {
    this.isOpen = true;
    const latest = this.clock.elapsed() - longestWait;
    const bodies = new Map<string, unknown>();
    for (const [uuid, held] of this.held) {
      if (held.since < latest) this.drop(uuid);
      else if (held.tenantId === tenantId) bodies.set(uuid, held.body);
    }
    return bodies;
  }

  /** Whatever takes a body also drops it: an attempt may have changed it, so the next one reads the row. */
  drop(uuid: string): void {
    this.size -= this.held.get(uuid)?.size ?? 0;
    this.held.delete(uuid);
  }
}

/** The body of a write. */
export async function bodyOf<T>({ body, payload }: Pick<PendingWrite, 'body' | 'payload'>): Promise<T> {
  return body === undefined ? parseLong<T>(payload) : (body as T);
}
