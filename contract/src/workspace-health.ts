// What people want to know first when they open the console: whether the workspace is set up, and what needs attention.
import { Type } from 'typebox';
import { onlyV2, route } from './route.js';
import { Count, Named, Nullable, Words } from './schema.js';

export const attentionKinds = [
  'mailPaused',
  'domainProblems',
  'writesWaiting',
  'complaints',
  'bounces',
  'webhooksFailing',
  'journeyStopped',
  'journeyFaults',
  'listHalved',
  'versionsRejected',
  'ingestRefused',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

const Setup = Named(
  'WorkspaceSetup',
  {
    domain: Type.Boolean({ description: 'A sending domain is approved.' }),
    import: Type.Boolean({ description: 'There are contacts.' }),
    event: Type.Boolean({ description: 'An event was stored.' }),
    email: Type.Boolean({ description: 'There is an email.' }),
    journey: Type.Boolean({ description: 'There is a journey.' }),
  },
  'The first steps of a workspace, and which of them are done.',
);

export const Attention = Named('Attention', {
  kind: Words(
    attentionKinds,
    '`bounces`, `journeyFaults`, `versionsRejected` and `ingestRefused` cover the last 24 hours, the others this moment. `complaints`, `journeyStopped` and `listHalved` are open alerts.',
  ),
  count: Count(
    'How many messages, domains, writes, subscriptions, contacts, versions, calls or open alerts. All but `bounces` stop at 1,000.',
  ),
  rate: Nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'For `bounces`: their share of the messages that were sent.' }),
  ),
  since: Nullable(Type.String({ format: 'date-time', description: 'When the oldest of them began, if it is known.' })),
  text: Type.String({ description: 'A sentence for people.' }),
  link: Nullable(Type.String({ description: 'The read of this API that tells more.' })),
});

export const WorkspaceHealth = Named('WorkspaceHealth', {
  setup: Setup,
  attention: Type.Array(Attention, { description: 'Worst first; empty if nothing needs attention.' }),
});

export const getWorkspaceHealth = route({
  id: 'getWorkspaceHealth',
  tag: 'Workspace',
  versions: onlyV2,
  method: 'GET',
  path: '/workspace/health',
  summary: 'Read whether the workspace is set up and well',
  description: 'Everyone may read it. It costs little, so a page may ask again every minute.',
  data: WorkspaceHealth,
  paged: false,
  errors: [],
  example: {
    data: {
      setup: { domain: true, import: true, event: true, email: true, journey: false },
      attention: [
        {
          kind: 'bounces',
          count: 42,
          rate: 0.031,
          since: '2026-11-14T10:02:11.000Z',
          text: '42 messages bounced in the last 24 hours, 3.1 % of those that were sent.',
          link: '/v2/messages?state=bounced',
        },
        {
          kind: 'versionsRejected',
          count: 3,
          rate: null,
          since: '2026-11-15T07:40:00.000Z',
          text: '3 personalized versions of emails were rejected in the last 24 hours.',
          link: '/v2/emails/019a8b2c4d5e6f708192a3c1/activity?outcome=rejected',
        },
      ],
    },
  },
});

export const workspaceHealthRoutes = [getWorkspaceHealth] as const;
