// What happens to a broadcast as a whole: reach, send, pause, resume, cancel. Each call may be repeated.
import { BroadcastRecord, exampleBroadcast, exampleBroadcastSending } from './broadcasts.js';
import { reachJourney } from './journey-reach.js';
import { onlyV2, route } from './route.js';

const tag = 'Broadcasts';
const id = exampleBroadcast.broadcastId;
const pathParams = { id: 'Broadcast id, 24 hex digits.' };
const about = { tag, method: 'POST', versions: onlyV2, pathParams, paged: false } as const;

export const reachBroadcast = route({
  ...about,
  id: 'reachBroadcast',
  path: '/broadcasts/{id}/reach',
  summary: 'Show whom a broadcast would reach if it were sent now',
  description:
    'As saved: how many members its audience has, how many of them can get it, and who is left out for which reason. Changes nothing. Counts exactly among up to 50,000 contacts; with more it looks at a random sample, and says so with `isExact: false`.',
  scope: 'READ',
  data: reachJourney.data,
  errors: ['NOT_FOUND'],
  example: { path: { id }, data: reachJourney.example.data },
});

export const sendBroadcast = route({
  ...about,
  id: 'sendBroadcast',
  path: '/broadcasts/{id}/send',
  summary: 'Send a broadcast',
  description:
    'Now, or at its scheduled time. It goes to the members of the audience at the moment it begins. Sending one that is being sent or was sent changes nothing, so no one gets it twice. If something is missing, the 400 says what.',
  data: BroadcastRecord,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: exampleBroadcastSending },
});

export const pauseBroadcast = route({
  ...about,
  id: 'pauseBroadcast',
  path: '/broadcasts/{id}/pause',
  summary: 'Pause a broadcast',
  description:
    'No more messages leave until it is resumed, apart from those that are with the mail server at that moment. Pausing it again changes nothing.',
  data: BroadcastRecord,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: { ...exampleBroadcastSending, status: 'paused' } },
});

export const resumeBroadcast = route({
  ...about,
  id: 'resumeBroadcast',
  path: '/broadcasts/{id}/resume',
  summary: 'Resume a paused broadcast',
  description: 'It goes on where it was. Resuming one that is not paused changes nothing.',
  data: BroadcastRecord,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: exampleBroadcastSending },
});

export const cancelBroadcast = route({
  ...about,
  id: 'cancelBroadcast',
  path: '/broadcasts/{id}/cancel',
  summary: 'Cancel a broadcast',
  description:
    'Messages that have not left are skipped with the reason `journeyStopped`. It cannot be sent again. Canceling it again changes nothing.',
  data: BroadcastRecord,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: { ...exampleBroadcastSending, status: 'cancelled' } },
});

export const broadcastLifeRoutes = [
  reachBroadcast,
  sendBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  cancelBroadcast,
] as const;
