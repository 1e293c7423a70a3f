// Which page an address shows. Every page is loaded when it is first opened; the first match is used.
import { type ComponentType, lazy } from 'react';
import type { PageParams } from '../shared/page-params.ts';

type Load = () => Promise<{ default: ComponentType<PageParams> }>;

const page = (path: string, load: Load) => ({ path, Page: lazy(load) });

export const pages = [
  page('/', () => import('../pages/home-page.tsx')),
  // People
  page('/contacts', () => import('../pages/contacts-page.tsx')),
  page('/contacts/import', () => import('../pages/contacts-import-page.tsx')),
  page('/contacts/:id/:tab?', () => import('../pages/contact-page.tsx')),
  page('/organizations', () => import('../pages/organizations-page.tsx')),
  page('/organizations/:id', () => import('../pages/organization-page.tsx')),
  page('/lists', () => import('../pages/lists-page.tsx')),
  page('/lists/compare', () => import('../pages/compare-lists-page.tsx')),
  page('/lists/static/:id/:tab?', () => import('../pages/static-list-page.tsx')),
  page('/lists/dynamic/:id/:tab?', () => import('../pages/dynamic-list-page.tsx')),
  page('/audience', () => import('../pages/audience-page.tsx')),
  // Messaging
  page('/journeys', () => import('../pages/journeys-page.tsx')),
  page('/journeys/:id/enrolments/:enrolmentId', () => import('../pages/enrolment-page.tsx')),
  page('/journeys/:id/:tab?', () => import('../pages/journey-page.tsx')),
  page('/sends', () => import('../pages/sends-page.tsx')),
  page('/sends/new', () => import('../pages/new-send-page.tsx')),
  page('/sends/:id', () => import('../pages/send-page.tsx')),
  page('/emails', () => import('../pages/emails-page.tsx')),
  page('/emails/:id/:tab?', () => import('../pages/email-page.tsx')),
  page('/messages', () => import('../pages/messages-page.tsx')),
  page('/messages/:messageId', () => import('../pages/message-page.tsx')),
  page('/suppressions', () => import('../pages/suppressions-page.tsx')),
  page('/forms', () => import('../pages/forms-page.tsx')),
  page('/forms/:id/:tab?', () => import('../pages/form-page.tsx')),
  page('/topics', () => import('../pages/topics-page.tsx')),
  page('/outbox', () => import('../pages/outbox-page.tsx')),
  page('/outbox/:messageId', () => import('../pages/outbox-message-page.tsx')),
  page('/why', () => import('../pages/why-page.tsx')),
  // Data
  page('/events/:tab?', () => import('../pages/events-page.tsx')),
  page('/imports', () => import('../pages/imports-page.tsx')),
  page('/imports/:transactionId', () => import('../pages/import-page.tsx')),
  page('/ingest-log', () => import('../pages/ingest-log-page.tsx')),
  page('/webhooks', () => import('../pages/webhooks-page.tsx')),
  page('/webhooks/:id', () => import('../pages/webhook-page.tsx')),
  page('/reports/:tab?', () => import('../pages/reports-page.tsx')),
  page('/account', () => import('../pages/account-page.tsx')),
  page('/settings/:tab?', () => import('../pages/settings-page.tsx')),
];
