// What every way of writing a journey shares.

import { isLockTimeout } from '../../db/connect.js';
import type { Database, Transaction } from '../../db/database.js';
import { oneByOne } from '../../db/one-by-one.js';
import { notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import type { SecretBox } from '../../lib/secret-box.js';
import type { OwnList } from '../dynamic-lists/index.js';
import { type Renderer, selectEmailsByIds } from '../emails/index.js';
import { type Fault, FilterFaults, faulty, type Subjects } from '../filter-language/index.js';
import { holdFolder } from '../folders/index.js';
import type { SendingWarning } from '../sending/index.js';
import { bodyFaults } from './check-bodies.js';
import { checkDraft } from './definition/draft.js';
import { type By, type HeldJourney, type Json, lockJourney } from './queries.js';

export interface AuthoringNeeds {
  db: Database;
  /** Kinds of conditions in filters. Asked at each use: others register theirs after this is made. */
  subjects: () => Subjects;
  /** What the tenant's journeys listen to has changed, or there is something to do. */
  wake: () => void;
  renderer: Renderer;
  /** For what headers of webhook steps say. */
  box: SecretBox;
  /** A dynamic list for one broadcast, from a filter; `listId`: the one that it has. Returns its id. */
  ownList(tx: Transaction, by: By, owner: OwnList, filter: Json, listId: string | undefined): Promise<string>;
  /** Deletes that list, unless something else has come to use it. */
  dropOwnList(tx: Transaction, by: By, listId: string): Promise<void>;
  /** What keeps mail of these domains from arriving. */
  sendingWarnings(tenantId: number, domains: readonly string[]): Promise<SendingWarning[]>;
}

/** A worker's turn ends within seconds, and a wait for it that took too long begins anew. */
const mostTries = 5;
/** Each takes about 20 ms: a script that activates all that it made is served. */
const mostWaiting = 200;

export class Authoring {
  private readonly inTurn = oneByOne('other edits of journeys are on their way', mostWaiting);

  constructor(private readonly needs: AuthoringNeeds) {}

  get db(): Database {
    return this.needs.db;
  }

  get subjects(): Subjects {
    return this.needs.subjects();
  }

  get box(): SecretBox {
    return this.needs.box;
  }

  get ownList(): AuthoringNeeds['ownList'] {
    return this.needs.ownList;
  }

  get dropOwnList(): AuthoringNeeds['dropOwnList'] {
    return this.needs.dropOwnList;
  }

  /** What is wrong with the templates in a definition. Takes its time: not to be asked while anything is locked. */
  templateFaults(tenantId: number, definition: unknown): Promise<Fault[]> {
    return bodyFaults(this.needs.renderer, tenantId, definition);
  }

  /** What keeps the emails of a definition from arriving. Nothing where it sends none that is known. */
  async sendingWarnings(tenantId: number, emailIds: readonly string[]): Promise<SendingWarning[]> {
    if (emailIds.length === 0) return [];
    const emails = await selectEmailsByIds(this.db, tenantId, [...new Set(emailIds)]);
    const domains = emails.map(({ senderEmail }) => senderEmail.slice(senderEmail.lastIndexOf('@') + 1));
    return domains.length === 0 ? [] : this.needs.sendingWarnings(tenantId, [...new Set(domains)]);
  }

  /** After the transaction: workers look at the tenant's journeys again. */
  wakeAfter(tx: Transaction): void {
    tx.afterCommit(this.needs.wake);
  }

  /** For transactions that lock a tenant's journeys: one at a time, and tried again when somebody had them for too long. */
  alone<T>(tenantId: number, transact: () => Promise<T>): Promise<T> {
    return this.inTurn(tenantId, async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await transact();
        } catch (error) {
          if (!isLockTimeout(error) || tries === mostTries) throw error;
        }
      }
    });
  }
}

/** The journey with this id, locked until the transaction ends; any other text is simply not found. */
export async function getHeld(
  tx: Transaction,
  tenantId: number,
  id: string,
  what: 'journey' | 'broadcast' = 'journey',
): Promise<HeldJourney> {
  const journey = isAssetId(id) ? await lockJourney(tx, tenantId, id) : undefined;
  if (!journey) throw notFound(what);
  return journey;
}

/** The folder stays until the transaction ends; see holdFolder() for what must not be locked yet. */
export async function isFolder(tx: Transaction, tenantId: number, id: string | null | undefined): Promise<boolean> {
  return id === null || id === undefined || (isAssetId(id) && (await holdFolder(tx, tenantId, id)) !== undefined);
}

/** A draft says anything, but not at any length. */
export function refuseUnfit(definition: Json | null | undefined): void {
  if (!definition) return;
  try {
    checkDraft(definition);
  } catch (error) {
    if (error instanceof FilterFaults) throw faulty(error.faults);
    throw error;
  }
}
