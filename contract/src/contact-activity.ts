// What came of the mail that a contact got, and the same merged with what the contact did.
import { Type } from 'typebox';
import { activityPath, activityWindow, exampleEvent, ProductEvent } from './events.js';
import { marketingEventNames } from './grammar/mail-events.js';
import { both, onlyV2, route } from './route.js';
import { AssetId, Discriminated, Instant, Named, Nullable, Words } from './schema.js';

export const MarketingEvent = Named('MarketingEvent', {
  eventName: Words(marketingEventNames),
  eventDate: Instant,
  journeyId: Nullable(Type.String()),
  journeyRunId: Nullable(Type.String()),
  emailId: Nullable(AssetId()),
  emailSubject: Nullable(Type.String({ description: 'As it was sent.' })),
  linkUrl: Nullable(Type.String({ description: 'Of a click.' })),
  isMachine: Type.Boolean({ description: 'Opened or clicked by a program, such as a mail scanner.' }),
  language: Type.Optional(
    Type.String({ description: "The language that the email was sent in. Left out where it was the email's own." }),
  ),
  topicId: Type.Optional(AssetId('Of `unsubscribed`: from which topic. Left out where it was from everything.')),
});

export const ContactActivity = Discriminated('kind', 'ContactActivity', [
  Named('ProductActivity', { kind: Type.Literal('product'), ...ProductEvent.properties }),
  Named('MarketingActivity', { kind: Type.Literal('marketing'), ...MarketingEvent.properties }),
]);

const tag = 'Activity';
const id = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
const example = {
  eventName: 'clicked',
  eventDate: '2026-11-15T09:12:00.000Z',
  journeyId: null,
  journeyRunId: null,
  emailId: '019a8b2c4d5e6f7081920001',
  emailSubject: 'Welcome, Ada',
  linkUrl: 'https://example.com/start',
  isMachine: false,
};

export const listMarketingActivity = route({
  id: 'listMarketingActivity',
  tag,
  method: 'GET',
  path: '/contacts/{id}/marketing-activity',
  versions: both,
  summary: 'List what came of the mail to a contact',
  description: 'Newest first.',
  pathParams: activityPath,
  query: activityWindow,
  data: MarketingEvent,
  paged: true,
  errors: ['BAS-E-002'],
  example: { path: { id }, data: [example] },
});

export const listContactActivity = route({
  id: 'listContactActivity',
  tag,
  method: 'GET',
  path: '/contacts/{id}/activity',
  versions: onlyV2,
  summary: 'Read a contact’s timeline',
  description: 'Product events and marketing activity merged, newest first; `kind` tells them apart.',
  pathParams: activityPath,
  query: activityWindow,
  data: ContactActivity,
  paged: true,
  errors: ['BAS-E-002'],
  example: {
    path: { id },
    data: [
      { kind: 'product', ...exampleEvent },
      { kind: 'marketing', ...example },
    ],
  },
});

export const activityRoutes = [listMarketingActivity, listContactActivity] as const;
