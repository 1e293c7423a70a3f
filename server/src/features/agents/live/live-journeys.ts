// Which live journeys wait for something, or send it. Only a plan changes that.
import * as contract from '@rapport/contract';
import type { Database, Transaction } from '../../../db/database.js';
import { ApiError } from '../../../http/api-error.js';
import { selectLiveDefinitions } from '../../journeys/index.js';
import type { Session } from '../tool.js';
import { anyProperty, type Reads, readsOfDefinition, readsOfFilter } from './reads.js';

/** What a change of a contact touches. */
export interface Touched {
  properties: readonly string[];
  /** Ids and keys; `leftTopic` if one is left. */
  topics: readonly string[];
  staticLists: readonly string[];
}

/** Why something is in use, as a sentence; undefined if it is not. */
export type UseOf = (tx: Transaction, tenantId: number, id: string) => Promise<string | undefined>;

interface LiveNeeds {
  db: Database;
  /** What uses an email: active journeys, and what else sends it by itself. */
  emailUses: readonly UseOf[];
}

export class LiveJourneys {
  constructor(private readonly needs: LiveNeeds) {}

  /** The names of the live journeys that changing a contact may start people in, or move them in. */
  async movedBy(session: Session, touched: Touched): Promise<string[]> {
    return this.namesOf(session, ({ properties, staticLists, topics }) => {
      const readsAny = properties.has(anyProperty) && touched.properties.length > 0;
      return (
        readsAny ||
        touched.properties.some((key) => properties.has(key)) ||
        touched.topics.some((topic) => topics.has(topic)) ||
        touched.staticLists.some((list) => staticLists.has(list))
      );
    });
  }

  /** Those that a dynamic list matters to, directly or by another list. */
  usingList(session: Session, dynamicListId: string): Promise<string[]> {
    return this.namesOf(session, ({ dynamicLists }) => dynamicLists.has(dynamicListId));
  }

  /** Why an email is in use; undefined if nothing sends it by itself. */
  async useOfEmail(tenantId: number, emailId: string): Promise<string | undefined> {
    return this.needs.db.transaction(async (tx) => {
      for (const useOf of this.needs.emailUses) {
        const use = await useOf(tx, tenantId, emailId);
        if (use !== undefined) return use;
      }
      return undefined;
    });
  }

  private async namesOf(session: Session, isConcerned: (reads: Reads) => boolean): Promise<string[]> {
    const live = await selectLiveDefinitions(this.needs.db, session.caller.tenantId);
    const filters = new Map<string, Reads>();
    const names = new Set<string>();
    for (const { name, definition } of live) {
      const reads = readsOfDefinition(definition);
      await addLists(session, reads, filters);
      if (isConcerned(reads)) names.add(name);
    }
    return [...names];
  }
}

/** Also what the lists read that it names, and the lists that these name. */
async function addLists({ api }: Session, reads: Reads, known: Map<string, Reads>): Promise<void> {
  // A set that grows while it is walked is walked to its end.
  for (const id of reads.dynamicLists) {
    const read = known.get(id) ?? (await readList(api, id));
    known.set(id, read);
    for (const part of ['properties', 'staticLists', 'dynamicLists', 'topics'] as const)
      for (const each of read[part]) reads[part].add(each);
  }
}

async function readList(api: Session['api'], id: string): Promise<Reads> {
  try {
    return readsOfFilter((await api(contract.getDynamicList, { params: { id } })).data.filter);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return readsOfFilter(undefined);
    throw error;
  }
}

/** A refusal that says how it can be done. */
export function needsPlan(why: string): ApiError {
  return new ApiError('INVALID_STATE', {
    reason: `${why} Nothing was changed. Call plan with action "change" and the same arguments, show the plan to the person, and apply it.`,
  });
}

export const quotedNames = (names: readonly string[]) =>
  names
    .slice(0, 3)
    .map((name) => `“${name}”`)
    .join(', ');
