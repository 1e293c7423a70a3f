// Who is in a journey, at which step, and why.
import { Type } from 'typebox';
import type { TimelineFact } from './grammar/timeline.js';
import { choice, paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, ContactId, Count, Instant, Named, Nullable, Words } from './schema.js';

export const EnrolmentState = ['active', 'completed', 'exited'] as const;
export const timelineWords = [
  ...['entered', 'step', 'waiting', 'branch', 'split', 'message', 'webhook'],
  ...['property', 'list', 'event', 'goal', 'moved', 'completed', 'exited'],
] as const;
export type TimelineWord = (typeof timelineWords)[number];

const EnrolmentId = Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Enrolment id, 32 hex digits.' });
const MaybeInstant = (description: string) => Nullable(Type.String({ format: 'date-time', description }));

const stepName = Type.Optional(Type.String({ description: 'What people call that step, if it has a name.' }));

const fields = {
  enrolmentId: EnrolmentId,
  contactId: Nullable(ContactId('Null once the contact is erased.')),
  state: Words(EnrolmentState),
  reason: Nullable(
    Type.String({
      description:
        'Why it left early: `exitWhen`, `goal`, `takenOut` (by another journey or a person), `journeyStopped`, `erased`, `error`, or the reason of an exit step.',
    }),
  ),
  stepId: Nullable(Type.String({ description: 'The current step; once it has ended, the last one.' })),
  stepName,
  enteredAt: Instant,
  dueAt: MaybeInstant('When it is next looked at, if nothing happens before. Null while it waits for a webhook.'),
  endedAt: MaybeInstant('When it completed or left.'),
  goalAt: MaybeInstant('When it reached the goal.'),
  version: Type.Integer({ minimum: 1, description: 'The version of the journey that it is in.' }),
};

export const Enrolment = Named('Enrolment', {
  ...fields,
  email: Type.Optional(
    Nullable(Type.String({ description: 'The address of the contact, with `include=email`. Null once it is erased.' })),
  ),
});

export const ContactEnrolment = Named('ContactEnrolment', { journeyId: AssetId(), ...fields });

export const TimelineEntry = Named('TimelineEntry', {
  at: Instant,
  what: Words(timelineWords),
  stepId: Type.Optional(Type.String()),
  stepName,
  detail: Type.Optional(Type.String({ description: 'What exactly, in a sentence.' })),
  fact: Type.Optional(
    Type.Unsafe<TimelineFact>({
      type: 'object',
      required: ['code'],
      properties: { code: { type: 'string' } },
      additionalProperties: true,
      description:
        'The same for programs: a code, and its subjects. Times are milliseconds since 1970. Lines stored by early versions have none.',
    }),
  ),
});

export const EnrolmentRecord = Named('EnrolmentRecord', {
  ...Enrolment.properties,
  timeline: Type.Array(TimelineEntry, { description: 'Oldest first; the newest 1000.' }),
});

const tag = 'Journeys';
const id = '019a8b2c4d5e6f708192a3d1';
const contactId = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
const include = choice(['email'], 'What else to show: the address of the contact, in `email`.');
const stranger = '019a8b2c4d5e7f708192a3b4c5d6e7f9';
const enrolmentId = '019a8b2c4d5e7f708192a3b4c5d6e701';
const pathParams = { id: 'Journey id, 24 hex digits.' };
const row = {
  enrolmentId,
  contactId,
  state: 'active' as const,
  reason: null,
  stepId: 'wait',
  enteredAt: '2026-11-15T09:30:00.000Z',
  dueAt: '2026-11-17T09:30:00.000Z',
  endedAt: null,
  goalAt: null,
  version: 1,
};

export const listEnrolments = route({
  id: 'listEnrolments',
  tag,
  method: 'GET',
  path: '/journeys/{id}/enrolments',
  versions: onlyV2,
  summary: 'List the enrollments of a journey',
  description: 'Newest first.',
  pathParams,
  query: {
    state: { kind: 'choice', words: EnrolmentState, repeatable: true, description: 'Only these.' },
    stepId: {
      kind: 'text',
      emptyIsAbsent: false,
      repeatable: true,
      description: 'Only those at one of these steps, or whose last step it was.',
    },
    contactId: { kind: 'text', emptyIsAbsent: false, repeatable: false, description: 'Only those of this contact.' },
    include,
    ...paging,
  },
  snakeCase: true,
  data: Enrolment,
  paged: true,
  errors: ['NOT_FOUND'],
  example: { path: { id }, query: { state: 'active' }, data: [row] },
});

export const getEnrolment = route({
  id: 'getEnrolment',
  tag,
  method: 'GET',
  path: '/journeys/{id}/enrolments/{enrolmentId}',
  versions: onlyV2,
  summary: 'Read an enrollment with its timeline',
  pathParams: { ...pathParams, enrolmentId: 'Enrollment id.' },
  query: { include },
  data: EnrolmentRecord,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { id, enrolmentId },
    data: {
      ...row,
      timeline: [
        {
          ...{ at: row.enteredAt, what: 'entered' as const, detail: 'They did “signed_up”.' },
          fact: { code: 'eventCame' as const, eventName: 'signed_up' },
        },
        {
          ...{ at: row.enteredAt, what: 'message' as const, stepId: 'welcome', detail: 'Queued.' },
          fact: { code: 'queued' as const },
        },
        {
          at: row.enteredAt,
          what: 'waiting' as const,
          stepId: 'wait',
          detail: 'Started a wait until 2026-11-17T09:30:00.000Z.',
          fact: { code: 'waits' as const, until: 1_794_907_800_000 },
        },
      ],
    },
  },
});

export const listContactJourneys = route({
  id: 'listContactJourneys',
  tag,
  method: 'GET',
  path: '/contacts/{id}/journeys',
  versions: onlyV2,
  summary: 'List the journeys that a contact is or was in',
  description: 'Newest first.',
  pathParams: { id: 'Contact id, 32 hex digits.' },
  query: paging,
  data: ContactEnrolment,
  paged: true,
  errors: ['BAS-E-002'],
  example: { path: { id: contactId }, data: [{ journeyId: id, ...row }] },
});

export const enrollContacts = route({
  id: 'enrollContacts',
  tag,
  method: 'POST',
  path: '/journeys/{id}/enroll',
  versions: onlyV2,
  summary: 'Enroll contacts in a trigger journey',
  description:
    'For any active trigger journey. Unknown ids, and contacts that may not enter again, are named in `errors`; the others enter.',
  pathParams,
  body: Named('EnrollInput', {
    contactIds: Type.Array(Type.String(), { minItems: 1, maxItems: 1000, description: 'Repeats count once.' }),
  }),
  data: Named('Enrolled', {
    enrolled: Count('How many entered.'),
    skipped: Count('How many contacts may not enter again now.'),
  }),
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE', 'CONTACTS_NOT_FOUND'],
  example: {
    path: { id },
    body: { contactIds: [contactId, stranger] },
    data: { enrolled: 1, skipped: 0 },
    errors: [{ errorCode: 'CONTACTS_NOT_FOUND', message: `No such contact: ${stranger}.`, detail: stranger }],
  },
});

const enrolmentPath = { ...pathParams, enrolmentId: 'Enrollment id.' };

export const takeOutEnrolment = route({
  id: 'takeOutEnrolment',
  tag,
  method: 'POST',
  path: '/journeys/{id}/enrolments/{enrolmentId}/take-out',
  versions: onlyV2,
  summary: 'Take a contact out of a journey',
  description:
    'The contact leaves where they stand, as `exited: takenOut`; mail of this enrollment that waits to leave is skipped. The timeline says who did it. Whether they may enter again is for the `reentry` of the journey to say. In a paused journey, too. 409 for one that has ended.',
  pathParams: enrolmentPath,
  data: Enrolment,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: {
    path: { id, enrolmentId },
    data: { ...row, state: 'exited', reason: 'takenOut', dueAt: null, endedAt: '2026-11-16T08:00:00.000Z' },
  },
});

export const skipEnrolmentWait = route({
  id: 'skipEnrolmentWait',
  tag,
  method: 'POST',
  path: '/journeys/{id}/enrolments/{enrolmentId}/skip-wait',
  versions: onlyV2,
  summary: 'Take a contact past a wait',
  description:
    'The contact goes on as if the time of the wait were up: past a `delay`, and by `onTimeout` from a `waitUntil`. In a paused journey they go on when it is resumed. 409 where they do not wait at that step anymore.',
  pathParams: enrolmentPath,
  body: Named('SkipWaitInput', {
    stepId: Type.String({ minLength: 1, maxLength: 64, description: 'The step at which they wait, as last read.' }),
  }),
  data: Enrolment,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: {
    path: { id, enrolmentId },
    body: { stepId: 'wait' },
    data: { ...row, dueAt: '2026-11-16T08:00:00.000Z' },
  },
});

export const enrolmentRoutes = [
  ...[listEnrolments, getEnrolment, listContactJourneys, enrollContacts],
  ...[takeOutEnrolment, skipEnrolmentWait],
] as const;
