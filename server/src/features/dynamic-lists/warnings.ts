import type { Runner } from '../../db/database.js';
import { selectKnownKeys } from '../contacts/index.js';
import { selectKnownNames } from '../events/index.js';
import { conditionsOf, type Filter, FilterFaults, readFilter, type Subjects } from '../filter-language/index.js';
import { findMissing } from './check-references.js';

interface Mention {
  path: string;
  word: string;
}

/** What is odd about a stored filter. A sentence each, beginning with the place. */
export async function warningsOf(db: Runner, tenantId: number, json: unknown, subjects: Subjects): Promise<string[]> {
  try {
    return await strangersIn(db, tenantId, readFilter(json, subjects));
  } catch (error) {
    // It was read when it was stored: by a version that knew conditions which this one does not.
    if (error instanceof FilterFaults) return error.faults.map(({ path, words }) => `${path}: ${words}.`);
    throw error;
  }
}

/** What a filter mentions that was never seen, or is gone: it may be misspelt. */
async function strangersIn(db: Runner, tenantId: number, filter: Filter): Promise<string[]> {
  const { keys, events } = mentionsIn(filter);
  const words = (mentions: readonly Mention[]) => [...new Set(mentions.map((mention) => mention.word))];
  const knownKeys = await selectKnownKeys(db, tenantId, words(keys));
  const knownEvents = await selectKnownNames(db, tenantId, words(events));
  const { missing } = await findMissing(db, tenantId, filter);
  return [
    ...keys
      .filter(({ word }) => !knownKeys.has(word))
      .map(({ path, word }) => `${path}: no contact has ever had the property "${word}".`),
    ...events
      .filter(({ word }) => !knownEvents.has(word))
      .map(({ path, word }) => `${path}: no event named "${word}" was ever stored.`),
    ...missing.map(({ path, words: reason }) => `${path}: ${reason}.`),
  ];
}

function mentionsIn(filter: Filter): { keys: Mention[]; events: Mention[] } {
  const keys: Mention[] = [];
  const events: Mention[] = [];
  for (const condition of conditionsOf(filter)) {
    const { kind, path } = condition;
    if (kind === 'property') keys.push({ path: `${path}.property`, word: condition.key });
    if (kind === 'event') events.push({ path: `${path}.event`, word: condition.name });
    if (kind === 'sequence')
      condition.steps.forEach(({ name }, i) => {
        events.push({ path: `${path}.sequence[${i}].event`, word: name });
      });
  }
  return { keys, events };
}
