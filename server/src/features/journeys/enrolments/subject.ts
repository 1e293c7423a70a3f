// The condition `{"journeyId": id, "state": …}`: where a contact is in a journey, or was.

import type { Runner } from '../../../db/database.js';
import {
  type Duration,
  type Fields,
  placeOf,
  readAssetId,
  readDuration,
  readKey,
  readOneOf,
  refuseOthers,
  type Subject,
} from '../../filter-language/index.js';
import { type AskedState, findJourneyNo, testEnrolments } from './queries.js';
import { enrolmentKey } from './tell.js';

interface InJourney {
  readonly journeyId: string;
  readonly state: AskedState;
  readonly withinLast?: Duration | undefined;
}

const states: readonly AskedState[] = ['entered', 'inProgress', 'completed', 'exited', 'goalReached'];
const said: Readonly<Record<AskedState, string>> = {
  entered: 'entered the journey',
  inProgress: 'is on the way in the journey',
  completed: 'completed the journey',
  exited: 'left the journey early',
  goalReached: 'reached the goal of the journey',
};

export const enrolmentSubject: Subject<InJourney> = {
  key: 'journeyId',
  read(fields: Fields, path: string): InJourney {
    refuseOthers(fields, path, ['journeyId', 'state', 'withinLast']);
    return {
      journeyId: readAssetId('a journey')(fields.journeyId, placeOf(path, 'journeyId')),
      state: readOneOf(states)(fields.state, placeOf(path, 'state')),
      withinLast: readKey(fields, path, 'withinLast', readDuration),
    };
  },
  say: ({ journeyId, state, withinLast }) =>
    `${said[state]} ${journeyId}${withinLast ? ` in the last ${withinLast.text}` : ''}`,
  reads: ({ journeyId }) => [enrolmentKey(journeyId)],
  compile: ({ journeyId, state, withinLast }, on) => testEnrolments({ journeyId, state, withinMs: withinLast?.ms }, on),
  missing: async (db: Runner, tenantId, { journeyId }, path) =>
    (await findJourneyNo(db, tenantId, journeyId)) === undefined
      ? [{ path: placeOf(path, 'journeyId'), words: 'there is no such journey' }]
      : [],
};
