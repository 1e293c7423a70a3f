import type { Runner } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import { type GrantUse, touchTokens } from './tokens/queries.js';

/** Remembers when tokens were used and stores it now and then: no request waits for that. */
export class TokenUses {
  private uses = new Map<number, { tenantId: number; tokenId: number; at: string }>();

  constructor(
    private readonly db: Runner,
    private readonly clock: Clock,
    /** Is also told which grants were used. */
    private readonly onGrants: (db: Runner, uses: readonly GrantUse[]) => Promise<void>,
  ) {}

  note(caller: { tenantId: number; tokenId: number }): void {
    // Tokens of another issuer are not stored here.
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
      // Tried again next time; a newer use of the same token counts.
      this.uses = new Map([...taken, ...this.uses]);
      throw error;
    }
  }
}
