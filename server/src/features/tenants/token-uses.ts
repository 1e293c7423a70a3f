import type { Runner } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import { type GrantUse, touchTokens } from './tokens/queries.js';

/** Remembers when tokens were used and writes it down now and then: no request pays for it. */
export class TokenUses {
  private uses = new Map<number, { tenantId: number; tokenId: number; at: string }>();

  constructor(
    private readonly db: Runner,
    private readonly clock: Clock,
    /** What else is told which grants were used. */
    private readonly onGrants: (db: Runner, uses: readonly GrantUse[]) => Promise<void>,
  ) {}

  note(caller: { tenantId: number; tokenId: number }): void {
    // Those of another issuer are not kept here.
    if (caller.tokenId === 0 || this.uses.has(caller.tokenId)) return;
    this.uses.set(caller.tokenId, {
      tenantId: caller.tenantId,
      tokenId: caller.tokenId,
      at: this.clock.now().toISOString(),
    });
  }

  async flush(): Promise<void> {
    if (this.uses.size === 0) return;
    const taken = this.uses;
    this.uses = new Map();
    try {
      const grants = await touchTokens(this.db, [...taken.values()]);
      if (grants.length > 0) await this.onGrants(this.db, grants);
    } catch (error) {
      // Next time, then; a newer use of the same token counts.
      this.uses = new Map([...taken, ...this.uses]);
      throw error;
    }
  }
}
