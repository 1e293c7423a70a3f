// What an author wants to know before and after activation: what is wrong, whom it reaches, and its runs.
import { Type } from 'typebox';
import { DefinitionJson } from './journey-definition.js';
import { exampleDefinition, journeyTypes } from './journeys.js';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, Count, Instant, Named, Nullable, Words } from './schema.js';
import { SendingWarning, suppressionReasons } from './suppressions.js';

const tag = 'Journeys';
const id = '019a8b2c4d5e6f708192a3d1';
const runId = '019a8b2c4d5e6f708192a3e1';
const pathParams = { id: 'Journey id, 24 hex digits.' };

export const checkJourney = route({
  id: 'checkJourney',
  tag,
  method: 'POST',
  path: '/journeys/check',
  versions: onlyV2,
  summary: 'Check a definition without saving it',
  description:
    'Reports what activation would refuse, each fault with its place, and changes nothing. A definition without faults gets an empty list.',
  body: Named('JourneyCheckInput', { type: Words(journeyTypes), definition: DefinitionJson }),
  data: Named('JourneyCheck', {
    faults: Type.Array(
      Named('JourneyFault', {
        path: Type.String({ description: 'Where: `definition.steps[1].emailId`.' }),
        stepId: Nullable(Type.String({ description: 'Id of the step that it is in. Null: in none that has an id.' })),
        message: Type.String({ description: 'What is wrong there, in plain words.' }),
      }),
      { description: 'At most 1,000.' },
    ),
    warnings: Type.Array(SendingWarning, {
      description:
        'What keeps the emails of the journey from arriving; empty if it sends none. Activation does not refuse them.',
    }),
  }),
  paged: false,
  errors: [],
  example: {
    body: { type: 'trigger', definition: exampleDefinition },
    data: {
      faults: [{ path: 'definition.steps[0].emailId', stepId: 'welcome', message: 'there is no such email' }],
      warnings: [],
    },
  },
});

export const listJourneyRuns = route({
  id: 'listJourneyRuns',
  tag,
  method: 'GET',
  path: '/journeys/{id}/runs',
  versions: onlyV2,
  summary: 'List the runs of a batch journey',
  description: 'Newest first. A trigger journey has none.',
  pathParams,
  query: paging,
  snakeCase: true,
  data: Named('JourneyRun', {
    runId: AssetId('Run id; `journeyRunId` of the resulting activity.'),
    runAt: Type.String({ format: 'date-time', description: 'The time that it was set for.' }),
    endedAt: Nullable(Instant, 'When all contacts had been enrolled. Null while it is running.'),
    version: Type.Integer({ minimum: 1, description: 'The version of the journey that its contacts entered.' }),
    members: Count('Members of the audience at the moment of the run.'),
    enrolled: Count('Those of them who entered, up to now. The others could not enter again, or were erased.'),
  }),
  paged: true,
  errors: ['NOT_FOUND'],
  example: {
    path: { id },
    data: [
      {
        runId,
        runAt: '2026-11-15T09:30:00.000Z',
        endedAt: '2026-11-15T09:30:04.000Z',
        version: 1,
        members: 1204,
        enrolled: 1190,
      },
    ],
  },
});

/** What basis a reach is told on. */
export const reachBases = ['audience', 'last30Days', 'unknown'] as const;
export const leftOutReasons = ['reentry', 'holdout', ...suppressionReasons, 'topic'] as const;

export const reachJourney = route({
  id: 'reachJourney',
  tag,
  method: 'GET',
  path: '/journeys/{id}/reach',
  versions: onlyV2,
  summary: 'Show whom a journey would reach if it were activated now',
  description:
    'By its saved definition. For a batch journey, the members of its audience; for a trigger journey, the contacts that its trigger applied to in the last 30 days. A contact that is left out is counted once, under the first reason. Counts exactly among up to 50,000 contacts; with more it looks at a random sample, and says so with `isExact: false`. Takes seconds at most: what takes longer is answered 503.',
  pathParams,
  data: Named('JourneyReach', {
    basis: Words(
      reachBases,
      '`audience`: the members of a list now. `last30Days`: what was recorded in that time. `unknown`: it cannot be known, and `text` says why.',
    ),
    isExact: Type.Boolean({ description: 'False: the counts are estimates, or there are none.' }),
    audience: Nullable(Count('Candidate contacts. Null: not known.')),
    enters: Nullable(Count('Those of them who would enter. Null: not known.')),
    getsMail: Nullable(
      Count('Those who would enter and may get mail. Null: not known, or the journey sends no email.'),
    ),
    leftOut: Type.Array(
      Named('JourneyLeftOut', {
        from: Words(
          ['journey', 'mail'],
          '`journey`: they do not enter. `mail`: they enter, but no email goes to them.',
        ),
        reason: Words(
          leftOutReasons,
          '`reentry`: they were in the journey, and may not enter again now. `holdout`: they are kept without mail, to compare. `unsubscribed`, `bounced`, `complained`, `manual`: their address is suppressed. `topic`: they are not subscribed to the topic of any email that the journey sends.',
        ),
        count: Count(),
        text: Type.String({ description: 'In a sentence.' }),
      }),
      { description: 'Reasons without contacts are left out.' },
    ),
    text: Type.String({ description: 'All of it in one sentence.' }),
  }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { id },
    data: {
      basis: 'audience',
      isExact: true,
      audience: 1204,
      enters: 1190,
      getsMail: 1150,
      leftOut: [
        {
          from: 'journey',
          reason: 'reentry',
          count: 14,
          text: '14 contacts were in the journey before and may not enter again now.',
        },
        { from: 'mail', reason: 'unsubscribed', count: 40, text: '40 contacts have unsubscribed.' },
      ],
      text: 'Of 1,204 contacts in “Trial users”, 1,190 would enter, and 1,150 of them can get email.',
    },
  },
});

export const journeyReachRoutes = [checkJourney, listJourneyRuns, reachJourney] as const;
