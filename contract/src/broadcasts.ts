// Broadcasts: one email to an audience, sent once. Underneath, a batch journey with one step.
import { Type } from 'typebox';
import { FilterJson } from './filter.js';
import { abLimits, localTimePattern } from './grammar/steps.js';
import { exampleJourney } from './journeys.js';
import { paging, search } from './params.js';
import { onlyV2, route } from './route.js';
import { AccountId, AssetId, Count, Instant, Named, Nullable, Text, Words } from './schema.js';

const tag = 'Broadcasts';
export const broadcastStatuses = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const;
export type BroadcastStatus = (typeof broadcastStatuses)[number];
export const broadcastTimes = ['now', 'at', 'localTime'] as const;

const ListId = Type.String({ description: 'Id of a list. An unknown one is a 400.' });
const audience = (title: string) =>
  Named(
    title,
    {
      staticListId: Type.Optional(ListId),
      dynamicListId: Type.Optional(ListId),
      filter: Type.Optional(FilterJson()),
    },
    'One of the three: a static list, a dynamic list, or a filter, from which a dynamic list is made for this broadcast alone.',
  );
const When = Named(
  'BroadcastWhen',
  {
    kind: Words(
      broadcastTimes,
      '`now`: as soon as it is sent. `at`: everyone at the same moment. `localTime`: each contact at that date and time on their own clock: by the property `time_zone`, else the time zone of the workspace. Where it has passed already, at once.',
    ),
    at: Type.Optional(
      Type.String({
        description: `For \`at\`, an RFC 3339 time; no offset means UTC. For \`localTime\`, a date and time without a zone, such as \`2026-11-20T09:00\` (\`${localTimePattern}\`).`,
      }),
    ),
  },
  'When it leaves.',
);

const abTest = (title: string) =>
  Named(
    title,
    {
      emailId: Type.String({
        description: 'The other email, B. `emailId` of the broadcast is A. An unknown one is a 400.',
      }),
      percent: Type.Integer({
        ...{ minimum: abLimits.percent[0], maximum: abLimits.percent[1] },
        description: 'The percentage of members who take part: half get A, half B, at random.',
      }),
      hours: Type.Integer({
        ...{ minimum: abLimits.hours[0], maximum: abLimits.hours[1] },
        description:
          'Counted from its beginning. After that the others get the one that the larger share of people clicked in.',
      }),
    },
    'Two emails are tried, and the better one goes to everyone else. Not with `localTime`.',
  );

const fields = {
  broadcastId: AssetId('24 hex digits. It is also the `journeyId` of its messages.'),
  name: Type.String(),
  status: Words(
    broadcastStatuses,
    '`draft`: not sent yet. `scheduled`: its time is ahead. `sending`: some of its messages have not left. `paused`: nothing leaves until it is resumed. `sent`: the last message has left. `cancelled`: what had not left by then never will.',
  ),
  emailId: Nullable(AssetId('The email that it sends. Null: none has been chosen.')),
  audience: Nullable(audience('BroadcastAudience'), 'Null: none has been chosen.'),
  when: When,
  abTest: Nullable(abTest('BroadcastAbTest'), 'Null: everyone gets the same email.'),
  total: Nullable(Count('Members of the audience at the moment it began. Null before.')),
  sendsAt: Nullable(Instant, 'When it begins. Null unless that is ahead.'),
  startedAt: Nullable(Instant, 'When it began.'),
  endedAt: Nullable(Instant, 'When it was sent or canceled.'),
  createdAt: Instant,
  createdBy: Named('BroadcastAuthor', { id: AccountId, name: Type.String() }),
  updatedAt: Instant,
};
export const BroadcastRow = Named('BroadcastRow', {
  ...fields,
  figures: Named(
    'BroadcastFigures',
    {
      sent: Count('Messages that a mail server accepted, or rejected permanently.'),
      delivered: Count('Messages that arrived, as far as is known.'),
      opened: Count('Messages that a person opened.'),
      clicked: Count('Messages in which a person clicked.'),
      bounced: Count('Messages that came back or were refused for good.'),
      unsubscribed: Count('Messages whose recipient unsubscribed from there.'),
    },
    'So far, as in statistics.',
  ),
});
export const BroadcastRecord = Named('Broadcast', {
  ...fields,
  audienceListId: Nullable(AssetId('The dynamic list that was made from the filter. Null: there is no filter.')),
  revision: Type.Integer({ minimum: 1, description: 'Counts edits; send it as `If-Match` with a PATCH.' }),
  progress: Named(
    'BroadcastProgress',
    {
      waiting: Count('Members whose message has not left yet.'),
      sent: Count('Messages that left, those that bounced included.'),
      kept: Count('Of those, how many are kept in the outbox, because there is no mail server.'),
      opened: Count('Messages that a person opened.'),
      clicked: Count('Messages in which a person clicked.'),
      bounced: Count('Messages that were refused for good, or came back.'),
      unsubscribed: Count('Messages whose recipient unsubscribed from there.'),
      failed: Count('Messages that were given up or could not be rendered.'),
      skipped: Count('Messages that were not sent on purpose; `skippedBy` says why.'),
      skippedBy: Type.Array(
        Named('BroadcastSkipped', {
          reason: Type.String({ description: 'As the `reason` of a message.' }),
          count: Count(),
        }),
        { description: 'Most frequent first.' },
      ),
      notReached: Count('Once it has ended: members without a message. They were erased, or it was canceled first.'),
    },
    'Of this very moment.',
  ),
});

const Name = Text(255, { description: 'Need not be unique.' });
const EmailId = Type.String({ description: 'Id of an email. An unknown one is a 400.' });
const BroadcastBody = Named('BroadcastInput', {
  name: Name,
  emailId: Type.Optional(EmailId),
  audience: Type.Optional(audience('BroadcastAudienceInput')),
  when: Type.Optional(When),
  abTest: Type.Optional(abTest('BroadcastAbTestInput')),
});
const BroadcastPatch = Named('BroadcastPatch', {
  name: Type.Optional(Name),
  emailId: Type.Optional(Nullable(EmailId)),
  audience: Type.Optional(Nullable(audience('BroadcastAudiencePatch'))),
  when: Type.Optional(When),
  abTest: Type.Optional(Nullable(abTest('BroadcastAbTestPatch'))),
});

const broadcastId = exampleJourney.journeyId;
const pathParams = { id: 'Broadcast id, 24 hex digits.' };
const emailId = '019a8b2c4d5e6f708192a3c1';
const staticListId = '019a8b2c4d5e6f708192a3b1';
const created = exampleJourney.createdAt;
const exampleFields = {
  ...{
    broadcastId,
    name: 'November news',
    status: 'draft',
    emailId,
    audience: { staticListId },
    when: { kind: 'now' },
    abTest: null,
  },
  ...{ total: null, sendsAt: null, startedAt: null, endedAt: null },
  ...{ createdAt: created, createdBy: exampleJourney.createdBy, updatedAt: created },
};
const noProgress = {
  ...{ waiting: 0, sent: 0, kept: 0, opened: 0, clicked: 0, bounced: 0, unsubscribed: 0, failed: 0, skipped: 0 },
  ...{ skippedBy: [], notReached: 0 },
};
export const exampleBroadcast = { ...exampleFields, audienceListId: null, revision: 1, progress: noProgress };
export const exampleBroadcastSending = {
  ...exampleBroadcast,
  ...{ status: 'sending', total: 1204, startedAt: created, revision: 2 },
  progress: {
    ...noProgress,
    ...{ waiting: 604, sent: 560, opened: 12, clicked: 3, skipped: 40 },
    skippedBy: [{ reason: 'unsubscribed', count: 40 }],
  },
};

const figures = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, unsubscribed: 0 };

export const listBroadcasts = route({
  id: 'listBroadcasts',
  tag,
  method: 'GET',
  path: '/broadcasts',
  versions: onlyV2,
  summary: 'List broadcasts',
  description: 'Newest first, with their figures so far. They are not among the journeys.',
  query: {
    status: { kind: 'choice', words: broadcastStatuses, repeatable: true, description: 'Only these.' },
    emailId: {
      kind: 'text',
      emptyIsAbsent: false,
      repeatable: false,
      description:
        'Only those that send this email, including as the other one of a test. An unknown id yields an empty page.',
    },
    search,
    ...paging,
  },
  snakeCase: true,
  data: BroadcastRow,
  paged: true,
  errors: [],
  example: { query: { status: 'draft' }, data: [{ ...exampleFields, figures }] },
});

export const createBroadcast = route({
  id: 'createBroadcast',
  tag,
  method: 'POST',
  path: '/broadcasts',
  versions: onlyV2,
  summary: 'Create a broadcast',
  description: 'A draft: nothing leaves until it is sent. What is not given yet can be given with a PATCH.',
  body: BroadcastBody,
  hasEtag: true,
  data: BroadcastRecord,
  paged: false,
  errors: [],
  example: { body: { name: 'November news', emailId, audience: { staticListId } }, data: exampleBroadcast },
});

export const getBroadcast = route({
  id: 'getBroadcast',
  tag,
  method: 'GET',
  path: '/broadcasts/{id}',
  versions: onlyV2,
  summary: 'Read a broadcast and its progress',
  pathParams,
  hasEtag: true,
  data: BroadcastRecord,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { id: broadcastId }, data: exampleBroadcastSending },
});

export const updateBroadcast = route({
  id: 'updateBroadcast',
  tag,
  method: 'PATCH',
  path: '/broadcasts/{id}',
  versions: onlyV2,
  summary: 'Change a broadcast',
  description:
    'The name changes in every state; email, audience, time and test only until it begins. Null clears email or audience of a draft, and a test. Send `If-Match` with the `revision` that was read to be refused (412) if it was changed since.',
  pathParams,
  body: BroadcastPatch,
  hasEtag: true,
  data: BroadcastRecord,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE', 'EDIT_CONFLICT'],
  example: { path: { id: broadcastId }, body: { name: 'November news' }, data: exampleBroadcast },
});

export const deleteBroadcast = route({
  id: 'deleteBroadcast',
  tag,
  method: 'DELETE',
  path: '/broadcasts/{id}',
  versions: onlyV2,
  summary: 'Delete a broadcast',
  description:
    'Refused while it is scheduled, sending or paused: cancel it first. What it sent stays. The list that was made from its filter is deleted with it, unless something else uses it.',
  pathParams,
  data: Named('DeletedBroadcast', { broadcastId: AssetId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id: broadcastId }, data: { broadcastId, success: true } },
});

export const broadcastRoutes = [
  listBroadcasts,
  createBroadcast,
  getBroadcast,
  updateBroadcast,
  deleteBroadcast,
] as const;
