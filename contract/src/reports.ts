// Reports over everything that a tenant sends, and how people pass through a journey.
import { Type } from 'typebox';
import { listStatsBroadcasts } from './broadcast-stats.js';
import { exampleCounts, Rates, statsCounts, statsInterval, statsWindow } from './figures.js';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, Count, Named, Nullable } from './schema.js';

const tag = 'Statistics';
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const engaged = Count('Messages by the time of their first open or click by a person: each once.');
const windowEnds = {
  startTime: Type.String({ format: 'date-time', description: 'Where the window begins.' }),
  endTime: Type.String({ format: 'date-time', description: 'Its last millisecond.' }),
};
/** Seconds that people stayed; `null` if no one left in the window. */
const Stay = Nullable(
  Type.Object(
    {
      p50: Type.Number({ minimum: 0, description: 'Half of them stayed no longer.' }),
      p90: Type.Number({ minimum: 0, description: 'Nine of ten stayed no longer.' }),
    },
    {
      title: 'Stay',
      description:
        'Seconds from entering a step to leaving it, for visits that ended in the window; accurate within 5 %. Null if none did.',
    },
  ),
);

export const StatsOverview = Named('StatsOverview', {
  ...windowEnds,
  ...statsCounts,
  engaged,
  rates: Rates,
  previous: Named(
    'StatsPrevious',
    { ...windowEnds, ...statsCounts, engaged, rates: Rates },
    'As long, just before it.',
  ),
  series: Type.Array(
    Named('StatsPart', {
      time: Type.String({ format: 'date-time', description: 'Where it begins.' }),
      ...statsCounts,
      engaged,
    }),
    { description: 'Every part of the window, even if nothing happened in it; oldest first.' },
  ),
});

/** How many parts a series may have. */
export const mostParts = 1000;

const counted = { sent: 1000, delivered: 985, opened: 640, uniqueOpened: 410, clicked: 130, uniqueClicked: 96 };
const counts = exampleCounts({ ...counted, bounced: 15, hardBounced: 11, softBounced: 4, unsubscribed: 3 });
const rates = {
  deliveryRate: 0.985,
  openRate: 0.416,
  clickRate: 0.0975,
  clickToOpenRate: 0.23,
  bounceRate: 0.015,
  unsubscribeRate: 0.003,
};

export const getStatsOverview = route({
  id: 'getStatsOverview',
  tag,
  method: 'GET',
  path: '/stats/overview',
  versions: onlyV2,
  summary: 'Read the results of all mail',
  description: `In a window, by hour or day, and in the window of the same length right before it. Without times the last 30 days; with one of them the 30 days from or until it. At most ${mostParts.toLocaleString('en')} parts.`,
  query: { ...statsWindow, interval: statsInterval },
  snakeCase: true,
  data: StatsOverview,
  paged: false,
  errors: [],
  example: {
    query: { startTime: '2026-11-14T00:00:00Z', endTime: '2026-11-15T23:59:59.999Z' },
    data: {
      startTime: '2026-11-14T00:00:00.000Z',
      endTime: '2026-11-15T23:59:59.999Z',
      ...counts,
      engaged: 417,
      rates,
      previous: {
        startTime: '2026-11-12T00:00:00.000Z',
        endTime: '2026-11-13T23:59:59.999Z',
        ...counts,
        engaged: 417,
        rates,
      },
      series: [
        { time: '2026-11-14T00:00:00.000Z', ...counts, engaged: 417 },
        { time: '2026-11-15T00:00:00.000Z', ...exampleCounts({}), engaged: 0 },
      ],
    },
  },
});

export const DomainStats = Named('DomainStats', {
  domain: Type.String({ description: 'The domain of the addresses that messages went to.' }),
  ...statsCounts,
  rates: Rates,
  complaintRate: share('complained / delivered'),
});

export const listStatsDomains = route({
  id: 'listStatsDomains',
  tag,
  method: 'GET',
  path: '/stats/domains',
  versions: onlyV2,
  summary: 'Compare the domains that mail goes to',
  description: 'Delivery, bounces and complaints by the domain of the address; most sent first, then by name.',
  query: { ...statsWindow, ...paging },
  snakeCase: true,
  data: DomainStats,
  paged: true,
  errors: [],
  example: {
    query: { startTime: '2026-11-01T00:00:00Z' },
    data: [{ domain: 'example.com', ...counts, rates, complaintRate: 0 }],
  },
});

export const EmailStatsRow = Named('EmailStatsRow', {
  emailId: AssetId(),
  name: Type.String({ description: 'For a deleted email, the name that it had.' }),
  ...statsCounts,
  rates: Rates,
});

export const listStatsEmails = route({
  id: 'listStatsEmails',
  tag,
  method: 'GET',
  path: '/stats/emails',
  versions: onlyV2,
  summary: 'Compare emails',
  description:
    'Each email with counts in the window, deleted ones too; from journeys and single sends together. Most sent first, then by id.',
  query: { ...statsWindow, ...paging },
  snakeCase: true,
  data: EmailStatsRow,
  paged: true,
  errors: [],
  example: {
    query: { startTime: '2026-11-01T00:00:00Z' },
    data: [{ emailId: '019a8b2c4d5e6f708192a3c1', name: 'Welcome', ...counts, rates }],
  },
});

export const LinkStats = Named('LinkStats', {
  url: Type.String({
    description: 'The address that was clicked; once all contacts that clicked it are erased, only its origin.',
  }),
  emailId: AssetId('Of the email that it is in.'),
  clicked: statsCounts.clicked,
  uniqueClicked: Count('Messages by the time of their first click by a person on this address.'),
  machineClicked: statsCounts.machineClicked,
});

export const listStatsLinks = route({
  id: 'listStatsLinks',
  tag,
  method: 'GET',
  path: '/stats/links',
  versions: onlyV2,
  summary: 'List the addresses that were clicked',
  description: 'Each address once for each email that it is in; most clicked first, then by address.',
  query: {
    ...statsWindow,
    emailId: {
      kind: 'text',
      emptyIsAbsent: false,
      repeatable: false,
      description: 'In one email; an id of no email yields an empty page.',
    },
    ...paging,
  },
  snakeCase: true,
  data: LinkStats,
  paged: true,
  errors: [],
  example: {
    data: [
      {
        url: 'https://example.com/first-steps',
        emailId: '019a8b2c4d5e6f708192a3c1',
        clicked: 130,
        uniqueClicked: 96,
        machineClicked: 12,
      },
    ],
  },
});

export const JourneyFunnel = Named('JourneyFunnel', {
  journeyId: AssetId(),
  entered: Count('Those who entered the journey in the window.'),
  completed: Count('Those who came to its end in it.'),
  exited: Count('Those who left before its end in it.'),
  inProgress: Count('Those on the way now, whatever the window.'),
  reachedGoal: Count('Those who reached its goal in it.'),
  steps: Type.Array(
    Named('FunnelStep', {
      stepId: Type.String(),
      name: Type.Optional(Type.String({ description: 'What people call the step, if it has a name.' })),
      type: Type.String({ description: 'As in the definition.' }),
      entered: Count('Visits that began in the window. A contact that comes again counts again.'),
      left: Count('Visits that ended in it.'),
      inProgress: Count('Contacts there now, whatever the window.'),
      share: Type.Number({
        minimum: 0,
        description: 'entered / entered of the journey; more than 1 if people come again. 0 if no contact entered it.',
      }),
      seconds: Stay,
    }),
    { description: 'Those of the live version in their order, then those of older ones that have figures.' },
  ),
});

export const getJourneyFunnel = route({
  id: 'getJourneyFunnel',
  tag,
  method: 'GET',
  path: '/journeys/{id}/funnel',
  versions: onlyV2,
  summary: 'Read how people pass through a journey',
  description: 'Step by step: how many came, went on and are there now, and how long people stay.',
  pathParams: { id: 'Journey id, 24 hex digits.' },
  query: statsWindow,
  snakeCase: true,
  data: JourneyFunnel,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { id: '019a8b2c4d5e6f708192a3d1' },
    data: {
      journeyId: '019a8b2c4d5e6f708192a3d1',
      entered: 200,
      completed: 120,
      exited: 20,
      inProgress: 60,
      reachedGoal: 44,
      steps: [
        {
          stepId: 'welcome',
          type: 'sendEmail',
          entered: 200,
          left: 200,
          inProgress: 0,
          share: 1,
          seconds: { p50: 0.41, p90: 1.2 },
        },
        {
          stepId: 'wait',
          type: 'delay',
          entered: 200,
          left: 140,
          inProgress: 60,
          share: 1,
          seconds: { p50: 172800, p90: 172800 },
        },
        { stepId: 'done', type: 'exit', entered: 140, left: 140, inProgress: 0, share: 0.7, seconds: null },
      ],
    },
  },
});

export const reportRoutes = [
  getStatsOverview,
  listStatsDomains,
  listStatsEmails,
  listStatsBroadcasts,
  listStatsLinks,
  getJourneyFunnel,
] as const;
