// What a journey's definition was, and what another one would mean for the contacts in it.
import { Type } from 'typebox';
import { DefinitionJson } from './journey-definition.js';
import { exampleDefinition } from './journeys.js';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { Count, FreeObject, Instant, Named, Words } from './schema.js';

const tag = 'Journeys';
const id = '019a8b2c4d5e6f708192a3d1';
const pathParams = { id: 'Journey id, 24 hex digits.' };

export const JourneyVersion = Named('JourneyVersion', {
  version: Type.Integer({ minimum: 1 }),
  activatedAt: Instant,
  inProgress: Count('Contacts that are in it.'),
  definition: FreeObject,
});

export const listJourneyVersions = route({
  id: 'listJourneyVersions',
  tag,
  method: 'GET',
  path: '/journeys/{id}/versions',
  versions: onlyV2,
  summary: 'List the versions of a journey',
  description: 'Every definition that was ever active, newest first.',
  pathParams,
  query: paging,
  snakeCase: true,
  data: JourneyVersion,
  paged: true,
  errors: ['NOT_FOUND'],
  example: {
    path: { id },
    data: [{ version: 1, activatedAt: '2026-11-15T09:30:00.000Z', inProgress: 12, definition: exampleDefinition }],
  },
});

const counts = {
  inProgress: Count('Contacts that are in the journey.'),
  stays: Count(),
  moves: Count(),
  keepsVersion: Count(),
};

export const compareJourney = route({
  id: 'compareJourney',
  tag,
  method: 'POST',
  path: '/journeys/{id}/compare',
  versions: onlyV2,
  summary: 'Try another definition on the contacts in a journey',
  description:
    'Counts what a PATCH with this definition and `inFlight: "move"` would do, and changes nothing. The definition is checked as on activation. Lists every step of the current version, and steps of earlier versions that have contacts.',
  pathParams,
  body: Named('JourneyCompareInput', { definition: DefinitionJson }),
  data: Named('JourneyComparison', {
    steps: Type.Array(
      Named('ComparedStep', {
        stepId: Type.String(),
        inProgress: Count('Contacts at this step.'),
        becomes: Words(
          ['stays', 'moves', 'keepsVersion'],
          '`stays`: the step is the same in the new definition. `moves`: it has changed, and they go on with the changed one. `keepsVersion`: it is gone, and they finish in their version.',
        ),
      }),
    ),
    totals: Named('ComparedTotals', counts),
  }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { id },
    body: { definition: exampleDefinition },
    data: {
      steps: [
        { stepId: 'welcome', inProgress: 0, becomes: 'stays' },
        { stepId: 'wait', inProgress: 12, becomes: 'moves' },
      ],
      totals: { inProgress: 12, stays: 0, moves: 12, keepsVersion: 0 },
    },
  },
});

export const journeyVersionRoutes = [listJourneyVersions, compareJourney] as const;
