// Keeps the members of dynamic lists up to date: marks changes, evaluates them, serves due moments, builds lists.

import type { Database } from '../../../db/database.js';
import { inSteps } from '../../../work/chores.js';
import type { Subjects } from '../../filter-language/index.js';
import { keepDynamicSizes } from '../members/queries.js';
import { audienceQueue } from './audience-queue.js';
import { rebuildForFloor } from './builds/queries.js';
import { audienceSection, eraseFromAudiences } from './erase.js';
import { Filters } from './filters.js';
import { marks } from './mark-changes.js';
import { sweepDeleted } from './queries.js';

export { byContact, hearInputs, type InputReader, type Inputs, inputsChanged } from './hear-inputs.js';
export type { MarkChanged } from './mark-changes.js';
export { audiencesChanged, audiencesRedrawn, type RedrawnNews } from './news.js';

interface EngineNeeds {
  db: Database;
  /** Asked at each use: others register theirs after this is made. */
  subjects: () => Subjects;
  /** There is something to evaluate. */
  wake: () => void;
}

export function audienceEngine({ db, subjects, wake }: EngineNeeds) {
  const filters = new Filters(subjects);
  const { hears, markChanged } = marks(filters, wake);
  const sweep = (signal: AbortSignal) => inSteps((atMost) => sweepDeleted(db.background, atMost), signal);
  const rebuild = (signal: AbortSignal) => inSteps((atMost) => rebuildForFloor(db.background, atMost), signal, 100);
  const keepSizes = (signal: AbortSignal) => inSteps((atMost) => keepDynamicSizes(db.background, atMost), signal);
  return {
    markChanged,
    hears,
    queues: [audienceQueue(db.background, filters)],
    erasers: [eraseFromAudiences(filters, wake)],
    exporters: [audienceSection],
    chores: [
      { name: 'sizes of dynamic lists', everyMs: 600_000, run: keepSizes },
      { name: 'deleted lists', everyMs: 10_000, run: sweep },
      { name: 'lists of dropped events', everyMs: 60_000, run: rebuild },
    ],
  };
}
