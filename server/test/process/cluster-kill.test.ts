import { afterAll, expect, it } from 'vitest';
import { findPrograms } from '../../../scripts/prove/cluster/programs.js';
import * as cluster from '../../../scripts/prove/cluster.js';
import { cleanUp } from './service.js';

afterAll(cleanUp);

const { missing } = findPrograms();
const left = missing.length > 0 ? ` (skipped: not installed: ${missing.join(', ')})` : '';
const only = ['killed the primary'];

// The long form is `npm run prove -- cluster`: 30 faults of every kind, by chance.
it.skipIf(missing.length > 0)(
  `loses and repeats nothing when the primary of a cluster dies, and takes writes again${left}`,
  async () => {
    const { problems, summary } = await cluster.prove({
      rounds: 1,
      contacts: 200,
      seed: 1,
      only,
      isTimed: false,
      say: () => undefined,
    });
    expect(problems, summary).toEqual([]);
    expect(summary).toMatch(/1 databases killed.*outages in seconds: \d/);
  },
);
