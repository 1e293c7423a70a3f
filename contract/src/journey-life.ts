// What happens to a journey as a whole: activate, stop, pause, resume.
import { exampleJourney, exampleJourneyRecord, Journey, JourneyRecord } from './journeys.js';
import { onlyV2, route } from './route.js';

const tag = 'Journeys';
const id = exampleJourney.journeyId;
const pathParams = { id: 'Journey id, 24 hex digits.' };
const activeRecord = { ...exampleJourneyRecord, status: 'active', version: 1 };

export const activateJourney = route({
  id: 'activateJourney',
  tag,
  method: 'POST',
  path: '/journeys/{id}/activate',
  versions: onlyV2,
  summary: 'Activate a journey',
  description:
    'Checks the definition and reports every fault with its place, such as `definition.steps[1].emailId: there is no such email`. A batch journey without a schedule runs at once; a trigger journey reacts to what is acknowledged from now on.',
  pathParams,
  data: Journey,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: { ...exampleJourney, status: 'active' } },
});

export const deactivateJourney = route({
  id: 'deactivateJourney',
  tag,
  method: 'POST',
  path: '/journeys/{id}/deactivate',
  versions: onlyV2,
  summary: 'Stop a journey',
  description:
    'Contacts in it leave as `exited: journeyStopped`, and messages that have not left are skipped. To stop it only for a while, pause it.',
  pathParams,
  data: Journey,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: { ...exampleJourney, status: 'inactive' } },
});

export const pauseJourney = route({
  id: 'pauseJourney',
  tag,
  method: 'POST',
  path: '/journeys/{id}/pause',
  versions: onlyV2,
  summary: 'Pause a journey',
  description: 'No contact moves and nothing leaves, but events are remembered. Its status stays `active`.',
  pathParams,
  data: JourneyRecord,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: { ...activeRecord, isPaused: true } },
});

export const resumeJourney = route({
  id: 'resumeJourney',
  tag,
  method: 'POST',
  path: '/journeys/{id}/resume',
  versions: onlyV2,
  summary: 'Resume a paused journey',
  pathParams,
  data: JourneyRecord,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: activeRecord },
});

export const journeyLifeRoutes = [activateJourney, deactivateJourney, pauseJourney, resumeJourney] as const;
