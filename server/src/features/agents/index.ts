// Agents: assistants that work with a workspace for a person, over the Model Context Protocol.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import { inPages } from '../../db/in-pages.js';
import type { Endpoint } from '../../http/endpoint.js';
import { LocalCalls } from '../../http/local-calls.js';
import type { TakeBudget } from '../../http/rate-limit.js';
import type { Clock } from '../../lib/clock.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { inSteps } from '../../work/chores.js';
import { auditGroups } from '../audit/index.js';
import { type Eraser, exporter } from '../contacts/index.js';
import { findProblems, type Renderer } from '../emails/index.js';
import { Consents } from './consents.js';
import { LiveJourneys, type UseOf } from './live/live-journeys.js';
import { mcpPaths, mountMcp } from './mount.js';
import type { ReachOfDraft } from './plans/actions.js';
import { draftsOf } from './plans/drafts.js';
import { erasePlans, type PlanOfContact, selectPlansOf, sweepPlans } from './plans/queries.js';
import { planEndpoints } from './plans/routes.js';
import { McpService } from './service.js';
import { toolTable } from './tools/index.js';
import type { SimulateDefinition } from './tools/journeys.js';
import type { Tries } from './tools/save.js';

interface AgentNeeds {
  db: Database;
  log: FastifyBaseLogger;
  clock: Clock;
  box: SecretBox;
  renderer: Renderer;
  takeBudget: TakeBudget;
  /** Everything that the API serves: tools call the same use cases. */
  endpoints: () => readonly Endpoint[];
  simulate: SimulateDefinition;
  reach: ReachOfDraft;
  tries: Tries;
  /** What sends an email by itself. */
  emailUses: readonly UseOf[];
}

const planSection = exporter('agentPlans', (db, tenantId, { id }) =>
  inPages(100, (after: PlanOfContact | undefined, size) => selectPlansOf(db, tenantId, id, after?.planId, size)),
);

// Days for which plans are kept, to be looked at.
const keptDays = 30;

export function agents({ db, log, clock, box, renderer, takeBudget, endpoints, emailUses, ...needs }: AgentNeeds) {
  const { simulate, reach, tries } = needs;
  const tools = toolTable({
    ...{ db, simulate, reach, tries, drafts: draftsOf(db), live: new LiveJourneys({ db, emailUses }) },
    plainText: (tenantId, html) => renderer.plainText(tenantId, html),
    checkEmail: (tenantId, texts) => findProblems(db, renderer, tenantId, texts),
  });
  const consents = new Consents(box, clock);
  const service = new McpService({ audit: auditGroups(db), log, api: new LocalCalls(endpoints), tools, consents });
  const erase: Eraser = (tx, tenantId, { id }) => erasePlans(tx, tenantId, id);
  const sweep = (atMost: number) => sweepPlans(db.background, keptDays, atMost);
  return {
    endpoints: planEndpoints(db),
    serves: mcpPaths,
    install: (http: FastifyInstance) => mountMcp(http, { service, takeBudget }),
    erasers: [erase],
    exporters: [planSection],
    chores: [{ name: 'old plans of agents', everyMs: 600_000, run: (signal: AbortSignal) => inSteps(sweep, signal) }],
  };
}
