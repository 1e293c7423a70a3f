// Which page an address shows. Every page is loaded when it is first opened; the first that fits is taken.
import { type ComponentType, lazy } from 'react';
import type { PageParams } from './shared/page-params.ts';

type Load = () => Promise<{ default: ComponentType<PageParams> }>;

const page = (path: string, load: Load) => ({ path, Page: lazy(load) });

export const pages = [
  page('/', () => import('./features/home/home-page.tsx')),
  // People
  page('/contacts', () => import('./features/contacts/contacts-page.tsx')),
  page('/contacts/import', () => import('./features/imports/import-page.tsx')),
  page('/contacts/:id/:tab?', () => import('./features/contact/contact-page.tsx')),
  page('/organizations', () => import('./features/organizations/organizations-page.tsx')),
  page('/organizations/:id', () => import('./features/organizations/organization-page.tsx')),
  page('/lists', () => import('./features/lists/lists-page.tsx')),
  page('/lists/static/:id', () => import('./features/lists/static-list-page.tsx')),
  page('/lists/dynamic/:id/:tab?', () => import('./features/audiences/dynamic-list-page.tsx')),
  page('/audience', () => import('./features/audiences/builder-page.tsx')),
  // Messaging
  page('/journeys', () => import('./features/journeys/list/journeys-page.tsx')),
  page('/journeys/:id/enrolments/:enrolmentId', () => import('./features/journeys/enrolments/enrolment-page.tsx')),
  page('/journeys/:id/:tab?', () => import('./features/journeys/journey-page.tsx')),
  page('/emails', () => import('./features/emails/list/emails-page.tsx')),
  page('/emails/:id/:tab?', () => import('./features/emails/email-page.tsx')),
  page('/messages', () => import('./features/messages/messages-page.tsx')),
  page('/messages/:messageId', () => import('./features/messages/message-page.tsx')),
  page('/suppressions', () => import('./features/messages/suppressions-page.tsx')),
  page('/outbox', () => import('./features/outbox/outbox-page.tsx')),
  page('/outbox/:messageId', () => import('./features/outbox/message-page.tsx')),
  page('/why', () => import('./features/why/why-page.tsx')),
  // Data
  page('/events/:tab?', () => import('./features/events/events-page.tsx')),
  page('/imports', () => import('./features/imports/imports-page.tsx')),
  page('/imports/:transactionId', () => import('./features/imports/import-progress-page.tsx')),
  page('/ingest-log', () => import('./features/events/ingest-log-page.tsx')),
  page('/webhooks', () => import('./features/webhooks/webhooks-page.tsx')),
  page('/webhooks/:id', () => import('./features/webhooks/webhook-page.tsx')),
  page('/reports/:tab?', () => import('./features/reports/reports-page.tsx')),
  page('/settings/:tab?', () => import('./features/settings/settings-page.tsx')),
];
