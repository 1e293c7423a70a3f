// Journeys at work: what they hear, the queue that moves enrolments, and what is shown of those.

import type { Enrolment } from '@rapport/contract';
import * as contract from '@rapport/contract';
import type { FastifyBaseLogger } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import type { Static } from 'typebox';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { hearing } from '../../db/news.js';
import { oneByOne } from '../../db/one-by-one.js';
import { type Call, type Endpoint, endpoint } from '../../http/endpoint.js';
import { systemClock } from '../../lib/clock.js';
import { inSteps } from '../../work/chores.js';
import { type AuditAction, actorOf, auditAtCommit } from '../audit/index.js';
import type { SetTopics } from '../consent/index.js';
import type { Renderer } from '../emails/index.js';
import type { Subject, Subjects } from '../filter-language/index.js';
import { answerOnce, runOnce } from '../idempotency/index.js';
import type { DueAgain } from '../messages/index.js';
import type { Acknowledger } from '../transactions/index.js';
import { callsAnswered } from '../webhooks/index.js';
import { readDefinition } from './definition/read.js';
import { eraseFromJourneys } from './enrolments/erase.js';
import { journeySections } from './enrolments/export/export-enrolments.js';
import { countActiveEnrolments, findJourneyNo } from './enrolments/queries.js';
import { enrolmentEndpoints } from './enrolments/routes.js';
import { enrolmentSubject } from './enrolments/subject.js';
import { enrollContacts } from './entries/enroll-contacts.js';
import { skipWait, takeOut, type Which } from './entries/move-by-hand.js';
import { sweepDates } from './entries/queries.js';
import { hearNews } from './news/hear-news.js';
import { Interests, type ReadStored } from './news/interests.js';
import { insertNews, sweepNews } from './news/queries.js';
import { foldPassage } from './passage/queries.js';
import { effectsApplier } from './work/apply-effects.js';
import { dueAgain } from './work/due-again.js';
import { journeyQueue } from './work/queue.js';
import { decideWinners, lookEveryMs, type Rests } from './work/winners/decide-winners.js';

// Deltas in a step: a few of each turn.
const mostFolded = 5000;

export interface LiveNeeds {
  db: Database;
  log: FastifyBaseLogger;
  registry: Registry;
  subjects: () => Subjects;
  acknowledger: Acknowledger;
  renderer: Renderer;
  setTopics: SetTopics;
  onMonths(months: Iterable<number>): void;
  /** There is something to do in journeys. */
  wake(): void;
  wakeMessages(): void;
}

export function liveJourneys(needs: LiveNeeds) {
  const { db, wake, registry } = needs;
  const readStored: ReadStored = (json, type) => readDefinition(json, type, needs.subjects());
  const interests = new Interests(readStored);
  const rests: Rests = new Map();
  activeGauge(registry, () => countActiveEnrolments(db.background));
  const sweep = async (signal: AbortSignal) => {
    await inSteps((atMost) => sweepNews(db.background, atMost), signal);
    await inSteps((atMost) => sweepDates(db.background, atMost), signal);
  };
  const fold = (signal: AbortSignal) => inSteps((atMost) => foldPassage(db.background, atMost), signal, mostFolded);
  const again: DueAgain = (tx, tenantId, messages) => dueAgain(interests, tx, tenantId, messages);
  return {
    endpoints: [...enrolmentEndpoints(db), enroll(db, interests, wake), ...byHand(db, interests, wake)],
    queues: [journeyQueue({ ...needs, db: db.background, interests })],
    hears: [...hearNews(interests, wake), hearAnswers(wake)],
    appliers: [effectsApplier(needs)],
    erasers: [eraseFromJourneys(interests, wake)],
    exporters: journeySections,
    // A subject is known by its key: what its conditions are like is its own affair.
    subjects: [enrolmentSubject as Subject],
    chores: [
      { name: 'figures of journeys', everyMs: 10_000, run: fold },
      { name: 'news of ended journeys', everyMs: 60_000, run: sweep },
      {
        name: 'winners of splits',
        everyMs: lookEveryMs,
        run: (signal: AbortSignal) => decideWinners(db.background, readStored, systemClock, rests, signal),
      },
    ],
    dueAgain: again,
    isJourney: async (runner: Runner, tenantId: number, journeyId: string) =>
      (await findJourneyNo(runner, tenantId, journeyId)) !== undefined,
  };
}

function enroll(db: Database, interests: Interests, wake: () => void): Endpoint {
  const inTurn = oneByOne('other contacts of the tenant are being enrolled');
  return endpoint(contract.enrollContacts, (call) =>
    inTurn(call.caller.tenantId, () =>
      runOnce(db, call, (tx) => {
        tx.afterCommit(wake);
        return enrollContacts(tx, call.caller, call.params.id, call.body.contactIds, interests);
      }),
    ),
  );
}

/** One at a time, and only so many: each waits for the turn of a worker. */
function byHand(db: Database, interests: Interests, wake: () => void): Endpoint[] {
  const inTurn = oneByOne('other contacts of the tenant are being moved');
  const once = (call: HandCall, action: AuditAction, move: (tx: Transaction) => Promise<Static<typeof Enrolment>>) =>
    inTurn(call.caller.tenantId, () =>
      answerOnce(db, call, async (tx) => {
        const moved = await move(tx);
        tx.afterCommit(wake);
        const { contactId, stepId } = moved;
        auditAtCommit(tx, actorOf(call), action, contactId, { journeyId: call.params.id, stepId });
        return moved;
      }),
    );
  return [
    endpoint(contract.takeOutEnrolment, (call) =>
      once(call, 'contact.taken-out', (tx) => takeOut(tx, call.caller, call.params, interests)),
    ),
    endpoint(contract.skipEnrolmentWait, (call) =>
      once(call, 'contact.wait-skipped', (tx) =>
        skipWait(tx, call.caller, { ...call.params, ...call.body }, interests),
      ),
    ),
  ];
}

type HandCall = Pick<Call, 'caller' | 'address' | 'idempotency'> & { params: Which };

/** A webhook answered, or was given up: its enrolment goes on. */
function hearAnswers(wake: () => void) {
  return hearing(callsAnswered, async (tx, tenantId, items, now) => {
    await insertNews(
      tx,
      tenantId,
      items.map(({ journeyNo, contactId, enrolmentId, visit, answer }) => ({
        ...{ journeyNo, kind: 'answered', contactId, enrolmentId, at: now },
        data: JSON.stringify({ visit, answer }),
      })),
    );
    tx.afterCommit(wake);
  });
}

function activeGauge(registry: Registry, count: () => Promise<number>): void {
  new Gauge({
    name: 'rapport_enrolments_active',
    help: 'Enrolments of all tenants that are on their way.',
    registers: [registry],
    async collect() {
      // A database that is away must not keep the other figures from being read.
      const active = await count().catch(() => undefined);
      if (active !== undefined) this.set(active);
    },
  });
}
