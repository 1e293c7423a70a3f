// Forms: how people subscribe by themselves. Their pages, what they take, the mails that ask, and the answers.
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Database, Transaction } from '../../db/database.js';
import { inPages } from '../../db/in-pages.js';
import type { TakeBudget } from '../../http/rate-limit.js';
import type { Clock } from '../../lib/clock.js';
import { inSteps } from '../../work/chores.js';
import { AddressHashes, type SetTopics } from '../consent/index.js';
import { type Eraser, exporter } from '../contacts/index.js';
import type { TenantKeys } from '../messages/index.js';
import type { Acknowledger } from '../transactions/index.js';
import { type FormUseCheck, topicAsking } from './change-forms.js';
import { formMetrics } from './metrics.js';
import { formFinder } from './public/find-forms.js';
import { installForms, publicPaths } from './public/routes.js';
import { findFormOfTopic } from './queries.js';
import { formEndpoints } from './routes.js';
import { submissionApplier } from './submissions/applier.js';
import { FormBounds, type FormLimits } from './submissions/bounds.js';
import { Proofs } from './submissions/proofs.js';
import {
  eraseSubmissions,
  type OwnSubmission,
  selectOwnSubmissions,
  sweepOld,
  sweepSubmissions,
} from './submissions/queries.js';
import { submissionGroups } from './submissions/submit.js';

export type { FormUseCheck } from './change-forms.js';
/** For journeys that begin with a form: told once for each submission that is accepted, or was pending and is confirmed. */
export { submissionsAccepted } from './news.js';
/** Whether a form exists, for features that refer to one. */
export { isForm } from './queries.js';
export { type FormLimits, usualFormLimits } from './submissions/bounds.js';

interface FormNeeds {
  db: Database;
  clock: Clock;
  registry: Registry;
  baseUrl: () => string;
  acknowledger: Acknowledger;
  setTopics: SetTopics;
  keys: TenantKeys;
  takeBudget: TakeBudget;
  limits: FormLimits;
  /** What keeps a form from being deleted; filled by the app. */
  uses: readonly FormUseCheck[];
  /** There are messages to send. */
  wakeMessages(): void;
}

export function forms(needs: FormNeeds) {
  const { db, clock, acknowledger, setTopics, keys, wakeMessages } = needs;
  const hashes = new AddressHashes();
  const taking = submissionGroups(db, acknowledger);
  const proofs = new Proofs((tenantId) => keys.keyOf(tenantId), clock);
  const bounds = new FormBounds(needs.takeBudget, needs.limits);
  const { submitted: onSubmitted } = formMetrics(needs.registry);
  const findKey = (tenantId: number) => keys.findKey(tenantId);
  const eraser: Eraser = (tx, tenantId, { id, email }) => eraseSubmissions(tx, tenantId, id, email);
  return {
    endpoints: formEndpoints(needs),
    serves: publicPaths,
    install: (http: FastifyInstance) =>
      installForms(http, {
        ...{ db, clock, acknowledger, taking, hashes, setTopics, proofs, bounds, onSubmitted, findKey },
        findForm: formFinder(db),
      }),
    appliers: [submissionApplier({ hashes, setTopics, wakeMessages })],
    erasers: [eraser],
    exporters: [
      exporter('formSubmissions', (runner, tenantId, { email }) =>
        inPages(500, (after: OwnSubmission | undefined, size) =>
          selectOwnSubmissions(runner, tenantId, email, after, size),
        ),
      ),
    ],
    topicUses: [findTopicUse],
    topicAskings: [topicAsking],
    chores: [
      {
        name: 'old proofs of forms',
        everyMs: 60_000,
        run: (signal: AbortSignal) => inSteps((atMost) => sweepOld(db.background, atMost), signal),
      },
      {
        name: 'submissions of deleted forms',
        everyMs: 3_600_000,
        run: (signal: AbortSignal) => inSteps((atMost) => sweepSubmissions(db.background, atMost), signal),
      },
    ],
  };
}

async function findTopicUse(tx: Transaction, tenantId: number, topicId: string): Promise<string | undefined> {
  const name = await findFormOfTopic(tx, tenantId, topicId);
  return name === undefined ? undefined : `The form "${name}" subscribes to it.`;
}
