// The condition `{"topic": id, "is": state}`: what a contact is to a topic, its default included.
import { type TopicState, topicOperators, topicStates, topicStateWords } from '@rapport/contract';
import {
  type Fields,
  nameOf,
  placeOf,
  readAssetId,
  readOneOf,
  readTest,
  type Subject,
} from '../../filter-language/index.js';
import { selectTopicNames } from '../topics/queries.js';
import { testTopic } from './queries.js';

interface IsToTopic {
  readonly topicId: string;
  readonly state: TopicState;
  readonly isNot: boolean;
}

/** What to mark a contact with whose state for a topic changed. */
export function topicKey(topicId: string): string {
  return `topic:${topicId}`;
}

export const topicSubject: Subject<IsToTopic> = {
  key: 'topic',
  isTimeless: true,
  read(fields: Fields, path: string): IsToTopic {
    const topicId = readAssetId('a topic')(fields.topic, placeOf(path, 'topic'));
    const { op } = readTest(fields, path, ['topic'], topicOperators);
    return { topicId, state: readOneOf(topicStates)(fields[op], placeOf(path, op)), isNot: op === 'isNot' };
  },
  say: ({ topicId, state, isNot }, names) =>
    `${isNot ? 'is not' : 'is'} ${topicStateWords[state]} the topic ${nameOf(topicId, names.topic)}`,
  reads: ({ topicId }) => [topicKey(topicId)],
  compile: testTopic,
  missing: async (db, tenantId, { topicId }, path) =>
    (await selectTopicNames(db, tenantId, [topicId])).has(topicId)
      ? []
      : [{ path: placeOf(path, 'topic'), words: 'there is no such topic' }],
};
