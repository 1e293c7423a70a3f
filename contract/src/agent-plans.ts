// What agents planned to do for people, and what they did of it.
import { Type } from 'typebox';
import { agentActions, planStates } from './grammar/agents.js';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AccountId, AssetId, Instant, Named, Nullable, Words } from './schema.js';

const example = {
  planId: '019a8b2c4d5e6f708192a3f1',
  action: 'activate_journey',
  journeyId: '019a8b2c4d5e6f708192a3b4',
  emailId: null,
  sentence: 'Activates the journey “Onboarding”.',
  reach: 120,
  state: 'applied',
  accountId: 1,
  accountName: 'Ada Lovelace',
  clientId: 'https://assistant.example/oauth/client.json',
  appName: 'Example Assistant',
  createdAt: '2026-11-15T09:30:00.000Z',
  expiresAt: '2026-11-15T09:40:00.000Z',
  appliedAt: '2026-11-15T09:31:00.000Z',
};

const AgentPlan = Named('AgentPlan', {
  planId: AssetId(),
  action: Words(agentActions),
  journeyId: Nullable(AssetId('The journey that it is about.')),
  emailId: Nullable(AssetId('The email that it is about.')),
  sentence: Type.String({ description: 'What it would do, as the person was told.' }),
  reach: Type.Integer({ minimum: 0, description: 'How many people it would reach, as the person was told.' }),
  state: Words(planStates, '`waiting` until it is applied or expires.'),
  accountId: AccountId,
  accountName: Type.String({ description: 'For whom the agent acts.' }),
  clientId: Nullable(Type.String({ description: 'The app that made it. Null: a personal token.' })),
  appName: Nullable(Type.String({ description: 'Null: a personal token, or an app that was disconnected.' })),
  createdAt: Instant,
  expiresAt: Instant,
  appliedAt: Nullable(Instant),
});

export const listAgentPlans = route({
  id: 'listAgentPlans',
  tag: 'Connected apps',
  method: 'GET',
  path: '/agent-plans',
  versions: onlyV2,
  summary: 'List what agents planned and did',
  description: 'Your own; an admin sees those of the whole workspace. Newest first, of the last 30 days.',
  query: paging,
  data: AgentPlan,
  paged: true,
  errors: [],
  example: { data: [example] },
});

export const agentPlanRoutes = [listAgentPlans] as const;
