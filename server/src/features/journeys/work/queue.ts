import type { FastifyBaseLogger } from 'fastify';
import type { Background, Transaction } from '../../../db/database.js';
import { locks } from '../../../db/locks.js';
import { inSpan, isTracing, type SpanFacts } from '../../../lib/tracing.js';
import type { Queue } from '../../../work/queue.js';
import { type Batch, type FailedAttempt, type Runs, takeTurn, Widths } from '../../../work/take-turn.js';
import { tenantOfSpan } from '../../../work/traces.js';
import type { WonArm } from '../engine/types.js';
import type { Interests } from '../news/interests.js';
import { type TurnContext, turnContextOf } from '../turn/context.js';
import { selectDue, selectWaiting } from '../turn/look/queries.js';
import { NewsFloor } from '../turn/news-floor.js';
import { selectWinners } from '../turn/queries.js';
import { dropUnit, postponeUnit } from './drop-unit.js';
import { prepare } from './prepare.js';
import { take } from './take.js';
import { type Taken, Turn, type TurnNeeds } from './turn.js';

// Units in a turn: other work waits for it, and so do edits of the tenant's journeys.
const mostUnits = 2000;

interface QueueNeeds extends TurnNeeds {
  db: Background;
  interests: Interests;
  log: FastifyBaseLogger;
}

/** What happened, members of runs, dates and enrolments whose time has come. One worker a tenant at a time, so that nothing races. */
export function journeyQueue(needs: QueueNeeds): Queue {
  const floor = new NewsFloor();
  const runs = journeyRuns(needs, floor);
  const widths = new Widths(runs.most);
  return {
    name: 'journeys',
    hands: 3,
    pollMs: 500,
    due: async () => {
      await floor.keepUp(needs.db);
      return selectDue(needs.db, floor);
    },
    serve: (tenantId, watch) => takeTurn(needs.db, runs, widths, tenantId, watch),
    waiting: selectWaiting,
  };
}

export function journeyRuns(needs: QueueNeeds, floor = new NewsFloor()): Runs {
  // How often a unit has failed alone, as this process knows: after a few times it is ended, and forgotten here.
  const attempts = new Map<string, number>();
  const turnOf = async (tx: Transaction, tenantId: number, now: string) => {
    const context = await turnContextOf(needs.interests, tx, tenantId, now);
    return new Turn(context, await winnersOf(context), needs);
  };
  return {
    lock: locks.journeyWork,
    most: mostUnits,
    take: async (tx, tenantId, atMost, now): Promise<Batch | undefined> => {
      const context = await turnContextOf(needs.interests, tx, tenantId, now);
      const isNarrow = atMost < mostUnits;
      const prepared = await prepare(context, atMost, () => new Turn(context, new Map(), needs));
      const only = new Map([['journey.prepare', prepared]]);
      // What fails is looked for among the others, without these beside it.
      if (prepared > 0 && isNarrow) return batch('journey', only, async () => undefined);
      const { taken, first, units } = await take(context, atMost, isNarrow, floor);
      if (first === undefined) return prepared > 0 ? batch('journey', only, async () => undefined) : undefined;
      return batch(
        first,
        new Map([...only, ...units]),
        async () => {
          const turn = new Turn(context, await winnersOf(context), needs, isNarrow);
          await inSpan(spanOf(tenantId, taken), () => turn.run(taken, atMost === 1));
        },
        attempts.get(`${tenantId}:${first}`),
      );
    },
    refuse: async (tx, tenantId, first, why, now) => {
      attempts.delete(`${tenantId}:${first}`);
      needs.log.error({ tenantId, unit: first, why }, 'an enrolment of a journey failed, and was ended');
      return dropUnit(await turnOf(tx, tenantId, now), first, why);
    },
    postpone: async (tx, tenantId, first, failure: FailedAttempt) => {
      attempts.set(`${tenantId}:${first}`, failure.attempts);
      await postponeUnit(tx, tenantId, first, failure.waitMs);
    },
  };
}

function spanOf(tenantId: number, { news, due }: Taken): SpanFacts {
  const attributes = { ...tenantOfSpan(tenantId), 'rapport.news': news.length, 'rapport.enrolments_due': due.length };
  const origins = isTracing() ? [...new Set(news.flatMap(({ trace }) => trace ?? []))] : [];
  return { name: 'journey turn', kind: 'consumer', origins, attributes };
}

function batch(first: string, units: Map<string, number>, apply: () => Promise<void>, attempts = 0): Batch {
  return { first, kind: 'journey.step', attempts, units, apply };
}

/** Read only where a split has one: of any version, contacts may be on their way in an earlier one. */
async function winnersOf({ tx, tenantId, hasWinners }: TurnContext): Promise<Map<string, WonArm>> {
  return hasWinners ? selectWinners(tx, tenantId) : new Map();
}
