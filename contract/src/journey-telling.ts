// Simulations of journeys, and explanations of why something happened or did not.
import { Type } from 'typebox';
import { TimelineEntry } from './enrolments.js';
import { exampleDefinition } from './journeys.js';
import { messageStates } from './messages.js';
import { onlyV2, route } from './route.js';
import { AssetId, ContactId, Count, FreeObject, InstantText, Named, Nullable, Text, Words } from './schema.js';

const tag = 'Journeys';
const id = '019a8b2c4d5e6f708192a3d1';
const emailId = '019a8b2c4d5e6f708192a3c1';
const contactId = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
const pathParams = { id: 'Journey id, 24 hex digits.' };

const SimulationInput = Named('SimulationInput', {
  contactIds: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 1000,
      description: 'Who takes part. An unknown one is a 400.',
    }),
  ),
  sample: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description:
        'Instead of `contactIds`: a random sample of this size. For a batch journey, members of its audience; if an event is the entry and `from` is in the past, contacts that had it. 100 if neither is given.',
    }),
  ),
  from: Type.Optional(InstantText),
  until: Type.Optional(InstantText),
  definition: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...FreeObject,
      description: 'A definition to use instead of the saved one. Checked as on activation.',
    }),
  ),
  events: Type.Optional(
    Type.Array(
      Named('SimulatedEvent', {
        contactId: Type.String({ description: 'One that takes part.' }),
        eventName: Text(255),
        at: InstantText,
        properties: Type.Optional(FreeObject),
      }),
      { maxItems: 1000, description: 'What happens meanwhile: each between `from` and `until`.' },
    ),
  ),
});

export const simulateJourney = route({
  id: 'simulateJourney',
  tag,
  method: 'POST',
  path: '/journeys/{id}/simulate',
  versions: onlyV2,
  summary: 'Simulate a journey before it runs',
  description:
    'Runs the engine of journeys on a virtual clock over copies: nothing is written, nothing is sent. `from` is now by default, `until` a year later, at most ten. For the past, recorded events are replayed; for the future only those in `events` happen. If the entry is not an event, all contacts enter at `from`. Earlier enrolments do not count. Webhooks answer 200 at once, without a body. Filters see what the simulation changes; dynamic lists, and properties of the past, are as they are now. At most 100,000 steps are taken.',
  pathParams,
  body: SimulationInput,
  data: Named('Simulation', {
    contacts: Type.Array(
      Named('SimulatedContact', {
        contactId: ContactId(),
        entered: Type.Boolean(),
        endedAs: Nullable(
          Words(['completed', 'exited'], 'Null for a contact that is still in it at `until`, or never entered.'),
        ),
        timeline: Type.Array(TimelineEntry, { description: 'As in enrollments.' }),
      }),
      { description: 'A contact that enters again is listed once for each time, in order.' },
    ),
    steps: Type.Array(
      Named('SimulatedStep', {
        stepId: Type.String(),
        entered: Count('How often contacts came to it.'),
        left: Count('How often they went on from it.'),
      }),
    ),
  }),
  paged: false,
  errors: ['NOT_FOUND', 'BAS-E-002', 'NOT_READY'],
  example: {
    path: { id },
    body: {
      contactIds: [contactId],
      from: '2026-11-16T09:00:00Z',
      events: [{ contactId, eventName: 'signed_up', at: '2026-11-16T09:00:00Z' }],
      definition: exampleDefinition,
    },
    data: {
      contacts: [
        {
          contactId,
          entered: true,
          endedAs: 'exited',
          timeline: [
            { at: '2026-11-16T09:00:00.000Z', what: 'entered', detail: 'They did “signed_up”.' },
            { at: '2026-11-16T09:00:00.000Z', what: 'step', stepId: 'welcome' },
            { at: '2026-11-16T09:00:00.000Z', what: 'message', stepId: 'welcome', detail: 'Queued.' },
          ],
        },
      ],
      steps: [
        { stepId: 'welcome', entered: 1, left: 1 },
        { stepId: 'wait', entered: 1, left: 1 },
        { stepId: 'done', entered: 1, left: 1 },
      ],
    },
  },
});

/** What a reason of an explanation is about. */
export const reasonWords = [
  'journey',
  'entry',
  'reentry',
  'entered',
  'waiting',
  'event',
  'filter',
  'goal',
  'exitWhen',
  'ended',
  'topic',
] as const;

export const explainJourney = route({
  id: 'explainJourney',
  tag,
  method: 'GET',
  path: '/journeys/{id}/explain',
  versions: onlyV2,
  summary: 'Explain why a contact is in a journey, or is not',
  description:
    'Why this contact did or did not enter, is at its current step, did or did not get each email. Also for contacts that never entered.',
  pathParams,
  query: {
    contactId: { kind: 'text', emptyIsAbsent: false, repeatable: false, required: true, description: 'Contact id.' },
  },
  snakeCase: true,
  data: Named('JourneyExplanation', {
    entered: Type.Boolean({ description: 'Whether it has ever entered.' }),
    reasons: Type.Array(
      Named('JourneyReason', {
        at: Nullable(
          Type.String({ format: 'date-time', description: 'When that happened, or will. Null: no such moment.' }),
        ),
        what: Words(
          reasonWords,
          '`journey`: whether it runs. `entry`: what makes a contact enter, and whether that came. `reentry`: whether it may enter again. Then of each enrollment, newest first: `entered`; `waiting`: until when and where; `event`, `filter`: what would end the wait; `goal`; `exitWhen`; `ended`: how. Last, `topic`: whether mail of a topic that the journey sends may leave to the contact.',
        ),
        holds: Type.Boolean({ description: 'False for what keeps the contact out, or from moving on.' }),
        detail: Type.String({ description: 'In plain words.' }),
        state: Type.Optional(
          Words(
            ['draft', 'inactive', 'paused'],
            'Of `journey`, where it does not hold: what the journey is instead of active.',
          ),
        ),
        staticListId: Type.Optional(AssetId('Of `entry`: the contact is not in this list.')),
        dynamicListId: Type.Optional(AssetId('Of `entry`: the contact is not in this list.')),
      }),
    ),
    messages: Type.Array(
      Named('ExplainedMessage', {
        stepId: Type.String(),
        stepName: Type.Optional(Type.String({ description: 'What people call the step, if it has a name.' })),
        emailId: Type.String({ pattern: '^[0-9a-f]{24}$' }),
        state: Words(
          [...messageStates, 'notReached'],
          'As in messages; `notReached`: the contact has not reached that step.',
        ),
        reason: Nullable(Type.String()),
      }),
    ),
  }),
  paged: false,
  errors: ['NOT_FOUND', 'BAS-E-002'],
  example: {
    path: { id },
    query: { contactId },
    data: {
      entered: false,
      reasons: [
        { at: '2026-11-15T09:30:00.000Z', what: 'journey', holds: true, detail: 'The journey is active.' },
        {
          at: '2026-11-14T08:00:00.000Z',
          what: 'entry',
          holds: false,
          detail: 'They did “signed_up” before the journey was activated.',
        },
      ],
      messages: [{ stepId: 'welcome', emailId, state: 'notReached', reason: 'They have not entered.' }],
    },
  },
});

export const journeyTellingRoutes = [simulateJourney, explainJourney] as const;
