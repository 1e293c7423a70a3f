// Unsaved work, kept in this browser: it survives a reload, a crash of the page and the end of a session. By workspace and
// user, so that one user's work never shows up for another. Deleted after two weeks, when it is saved, and when the user signs out on purpose.
const prefix = 'rapport-draft:';
const longestKeptMs = 14 * 86_400_000;

/** Who keeps it, and where. */
export interface Keeper {
  tenantId: number;
  accountId: number;
}

export interface KeptDraft<Value> {
  value: Value;
  /** The version it was based on: a revision or an ETag, so that a later save notices what others changed meanwhile. */
  base: string | null;
  keptAt: number;
}

export class DraftShelf {
  constructor(
    private readonly given?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>,
    private readonly now: () => number = () => Date.now(),
  ) {}

  /** Accessed only when it is used: a browser that forbids storage throws as soon as it is accessed. */
  private get storage() {
    return this.given ?? localStorage;
  }

  keep<Value>(keeper: Keeper, name: string, value: Value, base: string | null): void {
    try {
      const kept: KeptDraft<Value> = { value, base, keptAt: this.now() };
      this.storage.setItem(address(keeper, name), JSON.stringify(kept));
    } catch {
      // Full or forbidden: the work is still on the page, and leaving it still asks.
    }
  }

  find<Value>(keeper: Keeper, name: string): KeptDraft<Value> | undefined {
    try {
      const text = this.storage.getItem(address(keeper, name));
      const kept = text === null ? undefined : (JSON.parse(text) as KeptDraft<Value>);
      return kept && this.now() - kept.keptAt <= longestKeptMs ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  forget(keeper: Keeper, name: string): void {
    try {
      this.storage.removeItem(address(keeper, name));
    } catch {
      // Nothing was kept there either.
    }
  }

  /** All of them, or only those that are too old. */
  clear(which: 'all' | 'old'): void {
    try {
      const names = Array.from({ length: this.storage.length }, (_, at) => this.storage.key(at) ?? '');
      for (const name of names) {
        if (!name.startsWith(prefix)) continue;
        if (which === 'all' || this.isOld(name)) this.storage.removeItem(name);
      }
    } catch {
      // As above.
    }
  }

  private isOld(name: string): boolean {
    try {
      const { keptAt } = JSON.parse(this.storage.getItem(name) ?? '{}') as { keptAt?: number };
      return keptAt === undefined || this.now() - keptAt > longestKeptMs;
    } catch {
      return true;
    }
  }
}

function address({ tenantId, accountId }: Keeper, name: string): string {
  return `${prefix}${tenantId}:${accountId}:${name}`;
}

export const drafts = new DraftShelf();
