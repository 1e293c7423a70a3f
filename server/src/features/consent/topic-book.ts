// What contact writes, batches and imports say of topics: read before they are planned, carried out in their transaction.
import type { OpenTopics, TopicBook, TopicWords, Voucher } from '../contacts/index.js';
import { changed, decide, type Standing } from './decide.js';
import type { SetTopics, TopicChange } from './set-topics.js';
import { selectStandings } from './states/queries.js';
import { holdTopicsByKey } from './topics/queries.js';

export function topicBooks(setTopics: SetTopics): OpenTopics {
  return async (tx, tenantId, { keys, contactIds }): Promise<TopicBook> => {
    const idOf = await holdTopicsByKey(tx, tenantId, keys);
    const known = new Map<string, Standing>();
    for (const row of await selectStandings(tx, tenantId, contactIds, [...idOf.values()]))
      known.set(row.contactId + row.topicId, row);
    const items: TopicChange[][] = [];
    return {
      faultOf: (words) => {
        const unknown = Object.keys(words).find((key) => !idOf.has(key));
        return unknown === undefined ? undefined : `No topic has the key "${unknown.slice(0, 100)}".`;
      },
      say: (contactId, words, by) => {
        const changes = changesOf(contactId, words, by, idOf);
        items.push(changes);
        return changes.map((change) => note(known, change)).some(Boolean);
      },
      store: async (now) => {
        const verdicts = await setTopics(tx, tenantId, items.flat(), now);
        const isKept = new Set(items.flat().filter((_, i) => verdicts[i] === 'kept'));
        return items.filter((changes) => changes.some((change) => isKept.has(change))).length;
      },
    };
  };
}

function changesOf(contactId: string, words: TopicWords, by: Voucher, idOf: Map<string, string>): TopicChange[] {
  return Object.entries(words).map(([key, state]) => ({ contactId, topicId: idOf.get(key) as string, state, ...by }));
}

/** Whether it will be a change, as far as it is known before the contacts are stored. */
function note(known: Map<string, Standing>, change: TopicChange): boolean {
  const key = change.contactId + change.topicId;
  const standing = known.get(key);
  if (decide(standing, change) !== 'changed') return false;
  known.set(key, changed(standing, change));
  return true;
}
