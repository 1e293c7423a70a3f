import type { Transaction } from '../../../db/database.js';
import { holdEditions } from '../../../db/editions.js';
import type { Definition } from '../definition/definition.js';
import { JourneyInterest } from './interest.js';
import { selectLiveVersions, selectVersion, type VersionRow } from './queries.js';

// Bounded: forgetting only costs a read.
const mostTenants = 2000;

/** Reads a definition that was checked when it was stored. Throws where a newer process knows more. */
export type ReadStored = (json: unknown, type: 'batch' | 'trigger') => Definition;

/** What a process remembers of a tenant's live journeys, as of an edition. */
interface Remembered {
  readonly edition: number;
  readonly interest: JourneyInterest;
  /** Journeys with a definition that this process cannot read: a newer one wrote it, and serves it. */
  readonly unreadable: ReadonlySet<number>;
  /** A split of a live version may have a winner. */
  readonly hasWinners: boolean;
  readonly definitions: Map<string, Definition | undefined>;
}

/** The live journeys of tenants, as this process remembers them. A transaction that asks keeps them from being edited until it ends. */
export class Interests {
  private readonly known = new Map<number, Remembered>();
  private readonly held = new WeakMap<Transaction, Map<number, Promise<Remembered>>>();

  constructor(private readonly readStored: ReadStored) {}

  async hold(tx: Transaction, tenantId: number): Promise<JourneyInterest> {
    return (await this.holdAll(tx, tenantId)).interest;
  }

  holdAll(tx: Transaction, tenantId: number): Promise<Remembered> {
    const held = this.held.get(tx) ?? new Map<number, Promise<Remembered>>();
    this.held.set(tx, held);
    const remembered = held.get(tenantId) ?? this.load(tx, tenantId);
    held.set(tenantId, remembered);
    return remembered;
  }

  /** Nothing: there is no such version, or this process cannot read it. */
  async definitionOf(
    tx: Transaction,
    tenantId: number,
    journeyNo: number,
    version: number,
  ): Promise<Definition | undefined> {
    const { definitions } = await this.holdAll(tx, tenantId);
    const key = keyOf(journeyNo, version);
    if (!definitions.has(key)) {
      const row = await selectVersion(tx, tenantId, journeyNo, version);
      definitions.set(key, row && this.read(row));
    }
    return definitions.get(key);
  }

  private async load(tx: Transaction, tenantId: number): Promise<Remembered> {
    const { journeys: edition } = await holdEditions(tx, tenantId);
    if (edition === 0) return nothing;
    const known = this.known.get(tenantId);
    if (known?.edition === edition) return known;
    const remembered = this.remember(edition, await selectLiveVersions(tx, tenantId));
    if (this.known.size >= mostTenants) this.known.clear();
    this.known.set(tenantId, remembered);
    return remembered;
  }

  private remember(edition: number, rows: readonly VersionRow[]): Remembered {
    const definitions = new Map(rows.map((row) => [keyOf(row.journeyNo, row.version), this.read(row)]));
    const definitionOf = (row: VersionRow) => definitions.get(keyOf(row.journeyNo, row.version));
    const interest = new JourneyInterest(
      rows.flatMap((row) => {
        const definition = definitionOf(row);
        return definition && row.isActive ? [{ ...row, definition }] : [];
      }),
    );
    const unreadable = new Set(rows.filter((row) => !definitionOf(row)).map((row) => row.journeyNo));
    const hasWinners = [...definitions.values()].some((definition) =>
      definition?.steps.some((step) => step.type === 'split' && step.winner),
    );
    return { edition, interest, unreadable, hasWinners, definitions };
  }

  private read({ definition, type }: VersionRow): Definition | undefined {
    try {
      return this.readStored(definition, type);
    } catch {
      return undefined;
    }
  }
}

const keyOf = (journeyNo: number, version: number) => `${journeyNo}:${version}`;
const nothing: Remembered = {
  edition: 0,
  interest: new JourneyInterest([]),
  unreadable: new Set(),
  hasWinners: false,
  definitions: new Map(),
};
