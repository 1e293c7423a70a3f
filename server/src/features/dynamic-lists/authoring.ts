import type { Transaction } from '../../db/database.js';
import { ApiError, invalid } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { parseJson } from '../../lib/parse-json.js';
import { type Filter, FilterFaults, faulty, readFilter, type Subject, Subjects } from '../filter-language/index.js';
import { holdFolder } from '../folders/index.js';

export interface By {
  tenantId: number;
  accountId: number;
}

/** Says why a dynamic list is in use, if it is. Features above declare theirs in app.ts. */
export type DynamicListUseCheck = (tx: Transaction, tenantId: number, listId: string) => Promise<string | undefined>;

/** Says what a list was made with, if it is changed and deleted there alone. Features above declare theirs in app.ts. */
export type DynamicListKeeper = DynamicListUseCheck;

/** Whether the owner of a list exists; locks it until the transaction ends. */
export type OwnerCheck = (tx: Transaction, tenantId: number, journeyId: string) => Promise<boolean>;

/** What editing lists needs from other features. The arrays are filled by the app before the service runs. */
export interface AuthoringNeeds {
  subjects: readonly Subject[];
  uses: readonly DynamicListUseCheck[];
  keepers: readonly DynamicListKeeper[];
  owners: readonly OwnerCheck[];
  /** A filter was added, changed or removed. */
  onEdit: () => void;
}

// Every worker caches the filters of its tenants.
const mostBytes = 1_048_576;
// With every character percent-encoded, the request line still fits; see http/connections.ts.
const mostTextBytes = 16_384;

/** The rules that all ways of writing a list share. */
export class Authoring {
  private known: Subjects | undefined;

  constructor(readonly needs: AuthoringNeeds) {}

  /** Those that other features have registered: complete before the first request. */
  get subjects(): Subjects {
    this.known ??= new Subjects(this.needs.subjects);
    return this.known;
  }

  /** Parses the filter of a body; a 400 says what is wrong with it, and where. */
  read(json: unknown): Filter {
    if (Buffer.byteLength(JSON.stringify(json) ?? '') > mostBytes)
      throw faulty([{ path: 'filter', words: 'a filter has at most 1 MiB' }]);
    return this.check(json);
  }

  /** The same for a query string. */
  readText(text: string): Filter {
    if (Buffer.byteLength(text) > mostTextBytes)
      throw faulty([{ path: 'filter', words: 'a filter in a query string has at most 16 KiB' }]);
    return this.check(jsonOf(text));
  }

  private check(json: unknown): Filter {
    try {
      return readFilter(json, this.subjects);
    } catch (error) {
      if (error instanceof FilterFaults) throw faulty(error.faults);
      throw error;
    }
  }

  async checkOwner(tx: Transaction, tenantId: number, journeyId: string | null | undefined): Promise<void> {
    if (journeyId === null || journeyId === undefined) return;
    for (const isThere of isAssetId(journeyId) ? this.needs.owners : [])
      if (await isThere(tx, tenantId, journeyId)) return;
    throw invalid('journeyId', 'is not a journey');
  }

  /** Refuses what is done to a list by itself that is changed elsewhere. Edits of lists are locked. */
  async refuseKept(tx: Transaction, tenantId: number, listId: string): Promise<void> {
    for (const findKeeper of this.needs.keepers) {
      const reason = await findKeeper(tx, tenantId, listId);
      if (reason) throw new ApiError('INVALID_STATE', { reason });
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw faulty([{ path: 'filter', words: 'this is not valid JSON' }]);
  }
}

/** The folder stays until the transaction ends; see holdFolder() for what must not be locked yet. */
export async function isFolder(tx: Transaction, tenantId: number, id: string | null | undefined): Promise<boolean> {
  return id === null || id === undefined || (isAssetId(id) && (await holdFolder(tx, tenantId, id)) !== undefined);
}
