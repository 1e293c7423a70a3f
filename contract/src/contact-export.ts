// Everything that is kept about a person, in one answer: the right of access. A section for each kind of thing; they cover whatever an erasure removes.
import { Type } from 'typebox';
import { MarketingEvent } from './contact-activity.js';
import { Contact, PropertyChange } from './contacts.js';
import { ContactEnrolment, TimelineEntry } from './enrolments.js';
import { ProductEvent } from './events.js';
import { FormSubmission } from './forms.js';
import { IngestRefusal } from './ingest-log.js';
import { MessageDetail, MessageRow } from './messages.js';
import { KeptCopy } from './outbox.js';
import { onlyV2, route } from './route.js';
import { AssetId, Count, FreeObject, Instant, Named, Nullable, StoredProperties } from './schema.js';
import { Suppression } from './suppressions.js';
import { ConsentEntry, ContactTopic } from './topics.js';
import { WebhookDelivery } from './webhooks.js';

const MaybeText = (description?: string) => Nullable(Type.String(description ? { description } : {}));
const TransactionId = Type.String({ description: 'As in the acknowledgement of the write.' });

const ofProduct = {
  productUsers: Type.Array(
    Named('ExportedUser', {
      userId: Type.String(),
      properties: StoredProperties,
      organizations: Type.Array(
        Named('ExportedMembership', { orgId: Type.String(), name: MaybeText(), joinedAt: Instant }),
      ),
      createdAt: Instant,
      updatedAt: Instant,
    }),
  ),
  productUserWrites: Type.Array(Named('ExportedUserWrite', { transactionId: TransactionId, userId: Type.String() }), {
    description: 'Writes whose results name a product user of the contact.',
  }),
  productEvents: Type.Array(
    Named('ExportedEvent', {
      ...ProductEvent.properties,
      eventId: MaybeText('As it was sent, for as long as the results of its write are kept.'),
    }),
  ),
  waitingTraits: Type.Array(
    Named('ExportedTraits', {
      userId: Type.String(),
      traits: FreeObject,
      orgIds: Type.Array(Type.String()),
      firstAt: Instant,
    }),
    { description: 'What Segment’s clients said about a user before its email was known.' },
  ),
  refusedCalls: Type.Array(IngestRefusal, {
    description: 'Calls of Segment’s clients about a product user of the contact.',
  }),
};

const ofLists = {
  staticLists: Type.Array(
    Named('ExportedStaticList', { staticListId: AssetId(), name: Type.String(), addedAt: Instant }),
  ),
  dynamicLists: Type.Array(
    Named('ExportedDynamicList', { dynamicListId: AssetId(), name: Type.String(), joinedAt: Instant }),
  ),
  leftLists: Type.Array(Named('ExportedDeparture', { listId: AssetId('Of either kind.'), leftAt: Instant }), {
    description: 'Lists that the contact left in the last 30 days.',
  }),
};

const ofMail = {
  marketingActivity: Type.Array(MarketingEvent),
  emailVersions: Type.Array(
    Named('ExportedVersion', {
      assetId: AssetId('Id of the email.'),
      subject: MaybeText("Null: the email's own."),
      preheader: MaybeText("Null: the email's own."),
      html: Type.String(),
      expiresAt: Nullable(Instant),
      createdAt: Instant,
      updatedAt: Instant,
    }),
  ),
  versionActivity: Type.Array(
    Named('ExportedVersionActivity', {
      assetId: AssetId('Id of the email.'),
      occurredAt: Instant,
      outcome: Type.String(),
      reason: MaybeText(),
    }),
  ),
  outboxMessages: Type.Array(
    Named('ExportedOutboxMessage', {
      ...KeptCopy.properties,
      madeFor: MaybeText('For a test: the contact whose data it contains, wherever it was sent.'),
      html: Type.String(),
      text: Type.String(),
    }),
  ),
  messages: Type.Array(
    Named('ExportedMessage', {
      ...MessageRow.properties,
      words: Nullable(FreeObject),
      content: Nullable(
        Named('ExportedContent', { subject: Type.String(), preheader: MaybeText(), html: Type.String() }),
      ),
      timeline: Type.Array(MessageDetail.properties.timeline.items, { description: 'Oldest first, all of it.' }),
      attempts: Type.Array(MessageDetail.properties.attempts.items, { description: 'Oldest first.' }),
    }),
    {
      description:
        'To the contact, to its address, and tests that were rendered for it. `words`: the data that the email was given besides the properties; `content`: the text, if it was written for this contact only.',
    },
  ),
  suppressions: Type.Array(Suppression),
  topics: Type.Array(ContactTopic, { description: 'What the contact said of topics; defaults aside.' }),
  consentLog: Type.Array(ConsentEntry, { description: 'How that came about, oldest first.' }),
  formSubmissions: Type.Array(Named('ExportedSubmission', { formId: AssetId(), ...FormSubmission.properties }), {
    description: 'What was sent by forms with the address of the contact.',
  }),
};

const ofJourneys = {
  journeys: Type.Array(
    Named('ExportedEnrolment', {
      ...ContactEnrolment.properties,
      journeyName: Type.String(),
      isHoldout: Type.Boolean(),
      words: Nullable(FreeObject),
      arms: Nullable(FreeObject),
      timeline: Type.Array(TimelineEntry, { description: 'Every visit of every step, oldest first.' }),
    }),
    { description: 'Each time that the contact went through a journey, deleted journeys included.' },
  ),
  journeyNews: Type.Array(
    Named('ExportedNews', { journeyId: AssetId(), kind: Type.String(), at: Instant, data: Nullable(FreeObject) }),
    { description: 'What happened and no journey has seen yet.' },
  ),
  journeyDates: Type.Array(
    Named('ExportedDate', { journeyId: AssetId(), dueAt: Instant }, 'When a journey that starts on a date will start.'),
  ),
  journeyRuns: Type.Array(Named('ExportedRun', { journeyId: AssetId(), runId: AssetId(), runAt: Instant }), {
    description: 'Runs that the contact waits to enter.',
  }),
  webhookDeliveries: Type.Array(
    Named('ExportedDelivery', {
      ...WebhookDelivery.properties,
      method: Type.String(),
      url: Type.String(),
      body: Type.String({ description: 'Empty once it has left or was given up.' }),
    }),
  ),
  agentPlans: Type.Array(
    Named('ExportedPlan', {
      planId: AssetId(),
      action: Type.String(),
      arguments: FreeObject,
      sentence: Type.String(),
      createdAt: Instant,
      appliedAt: Nullable(Instant),
    }),
    { description: 'What agents planned for the contact by name; kept for 30 days.' },
  ),
};

const ofWrites = {
  failedWrites: Type.Array(
    Named('ExportedFailure', {
      transactionId: TransactionId,
      item: Count('Place in the write, from 0.'),
      error: Type.String(),
      cells: Nullable(
        Type.Unsafe<unknown[]>({ type: 'array', items: {}, description: 'For a row of a CSV file, as it came.' }),
      ),
      line: Nullable(FreeObject, 'For a JSON Lines file: the line as it came.'),
    }),
  ),
  importRows: Type.Array(
    Named('ExportedRow', {
      transactionId: TransactionId,
      row: Count('Place in the file, from 0.'),
      content: Type.Unknown({ shownAs: { description: 'As it waits.' } }),
    }),
    { description: 'Rows of imports that wait to be applied.' },
  ),
};

export const ContactExport = Named('ContactExport', {
  ...{ ...ofProduct, ...ofLists, ...ofMail, ...ofJourneys, ...ofWrites },
  propertyChanges: Type.Array(PropertyChange),
  contact: Contact,
});

const id = '019a8b2c4d5e7f708192a3b4c5d6e7f8';

export const exportContact = route({
  id: 'exportContact',
  tag: 'Contacts',
  method: 'GET',
  path: '/contacts/{id}/export',
  versions: onlyV2,
  summary: 'Export everything that is kept about a contact',
  description:
    'For the right of access: one JSON document with a section for each kind of thing, containing whatever an erasure would remove. It may be large and is sent while it is read. If reading fails halfway, the connection is closed before the end, so an answer that can be parsed is complete. Each export is in the audit log.',
  pathParams: { id: 'Contact id, 32 hex digits.' },
  data: ContactExport,
  inParts: true,
  paged: false,
  errors: ['BAS-E-002'],
  example: {
    path: { id },
    data: {
      ...Object.fromEntries(Object.keys(ContactExport.properties).map((name) => [name, [] as unknown[]])),
      staticLists: [
        { staticListId: '019a8b2c4d5e6f708192a3b5', name: 'Newsletter', addedAt: '2026-11-15T09:31:00.000Z' },
      ],
      contact: {
        id,
        email: 'ada@example.com',
        properties: { first_name: 'Ada', plan: 'pro', seats: 12 },
        createdAt: '2026-11-15T09:30:00.000Z',
        updatedAt: '2026-11-15T09:30:00.000Z',
      },
    },
  },
});

export const contactExportRoutes = [exportContact] as const;
