// Which way a tenant's mail leaves: through its own mail server or the service's.
import type { Background } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import { Pace } from '../../../mail/pace.js';
import { mostConnections, type Transport } from '../../../mail/transport.js';
import { type OwnTransport, selectTransports } from '../../sending/index.js';
import { Lane, type LaneEvents } from './lane.js';

export interface LaneSettings {
  /** Messages per second over the service's own transport; null: no limit. */
  rate: number | null;
  connections: number;
  /** Concurrent messages per recipient domain. */
  perDomain: number;
}

export interface LaneNeeds {
  db: Background;
  box: SecretBox;
  clock: Clock;
  /** The service's own transport. Not closed here. */
  transport: Transport;
  settings: LaneSettings;
  /** Opens the transport of a tenant's own server. `isGuarded`: only on the public internet. */
  connect(smtpUrl: string, connections: number, isGuarded: boolean): Promise<Transport>;
  events: LaneEvents;
  /** A tenant's mail waits because its own server cannot be used. Called once until it works again. */
  onShut(tenantId: number, error: Error): void;
}

// Milliseconds. For this long after a change, a tenant's mail may still leave the old way.
const rememberMs = 5000;

interface Own {
  updatedAt: string;
  lane: Lane;
}

export class Lanes {
  private readonly shared: Lane;
  private readonly own = new Map<number, Own>();
  private readonly askedAt = new Map<number, number>();
  private readonly closed = new Set<number>();
  private refreshing: Promise<void> = Promise.resolve();
  /** Lanes still busy for tenants that have another one now. */
  private readonly leaving = new Set<Lane>();

  constructor(private readonly needs: LaneNeeds) {
    const { connections, rate } = needs.settings;
    // No tenant gets the last connection: if its mail hangs, other tenants' mail still leaves.
    this.shared = this.makeLane(needs.transport, connections, rate, connections > 1 ? connections - 1 : 1);
  }

  /** Looks up the servers of tenants that were not looked up recently. */
  refresh(tenantIds: readonly number[]): Promise<void> {
    // Sequentially: a second lookup in parallel would treat the tenant as one without its own server.
    this.refreshing = this.refreshing.catch(() => undefined).then(() => this.refreshNow(tenantIds));
    return this.refreshing;
  }

  private async refreshNow(tenantIds: readonly number[]): Promise<void> {
    const now = this.needs.clock.elapsed();
    const stale = tenantIds.filter((id) => now - (this.askedAt.get(id) ?? Number.NEGATIVE_INFINITY) > rememberMs);
    if (stale.length === 0) return;
    for (const tenantId of stale) this.askedAt.set(tenantId, now);
    try {
      await this.look(stale);
    } catch {
      // A tenant whose server cannot be read or reached must not hold up the others' mail.
      for (const tenantId of stale) await this.look([tenantId]).catch((error) => this.shut(tenantId, error));
    }
  }

  /** Undefined if the tenant's own server cannot be used now. */
  of(tenantId: number): Lane | undefined {
    return this.closed.has(tenantId) ? undefined : (this.own.get(tenantId)?.lane ?? this.shared);
  }

  get all(): Lane[] {
    return [this.shared, ...[...this.own.values()].map(({ lane }) => lane), ...this.leaving];
  }

  /** Closes the connections to servers that tenants no longer use, once nothing is in flight there. */
  endLeft(): void {
    for (const lane of this.leaving) if (lane.isIdle) this.end(lane);
  }

  /** Closes the connections to tenants' own servers. */
  close(): void {
    for (const lane of this.all) if (lane !== this.shared) lane.transport.close();
  }

  private async look(tenantIds: readonly number[]): Promise<void> {
    const { db, box } = this.needs;
    const found = new Map((await selectTransports(db, box, tenantIds)).map((own) => [own.tenantId, own]));
    for (const tenantId of tenantIds) {
      await this.put(tenantId, found.get(tenantId));
      this.closed.delete(tenantId);
    }
  }

  private shut(tenantId: number, error: Error): void {
    if (!this.closed.has(tenantId)) this.needs.onShut(tenantId, error);
    this.closed.add(tenantId);
  }

  private async put(tenantId: number, wanted: OwnTransport | undefined): Promise<void> {
    const known = this.own.get(tenantId);
    if (known?.updatedAt === wanted?.updatedAt) return;
    if (known) {
      this.own.delete(tenantId);
      this.needs.events.putBack(known.lane.close(), 0);
      this.leaving.add(known.lane);
    }
    if (!wanted) return;
    const connections = wanted.maxConnections ?? mostConnections;
    const transport = await this.needs.connect(wanted.smtpUrl, connections, wanted.isGuarded);
    this.own.set(tenantId, {
      updatedAt: wanted.updatedAt,
      lane: this.makeLane(transport, connections, wanted.rate, connections),
    });
  }

  private end(lane: Lane): void {
    this.leaving.delete(lane);
    lane.transport.close();
  }

  private makeLane(transport: Transport, connections: number, rate: number | null, mostOfOne: number): Lane {
    const { clock, events, settings } = this.needs;
    const pace = new Pace({ rate, perDomain: settings.perDomain });
    return new Lane(transport, connections, mostOfOne, rate, pace, clock, events);
  }
}
