// Every route there is. Tests, OpenAPI and the reference page walk this list.
import { agentPlanRoutes } from './agent-plans.js';
import { alertRoutes } from './alerts.js';
import { auditRoutes } from './audit-log.js';
import { brandingRoutes } from './branding.js';
import { broadcastLifeRoutes } from './broadcast-life.js';
import { broadcastRoutes } from './broadcasts.js';
import { connectedAppRoutes } from './connected-apps.js';
import { activityRoutes } from './contact-activity.js';
import { contactExportRoutes } from './contact-export.js';
import { contactRoutes } from './contacts.js';
import { defaultSenderRoutes } from './default-sender.js';
import { designRoutes } from './designs.js';
import { domainLinkRoutes } from './domain-links.js';
import { dynamicListReads } from './dynamic-list-reads.js';
import { dynamicListRoutes } from './dynamic-lists.js';
import { emailHistoryRoutes } from './email-history.js';
import { emailPreviewRoutes } from './email-previews.js';
import { emailTextRoutes } from './email-texts.js';
import { emailVersionRoutes } from './email-versions.js';
import { emailRoutes } from './emails.js';
import { enrolmentRoutes } from './enrolments.js';
import { eventReadRoutes } from './event-reads.js';
import { eventRoutes } from './events.js';
import { fileRoutes } from './files.js';
import { folderRoutes } from './folders.js';
import { formRoutes } from './forms.js';
import { identityProviderRoutes } from './identity-providers.js';
import { importRoutes } from './imports.js';
import { ingestRoutes } from './ingest-log.js';
import { journeyLifeRoutes } from './journey-life.js';
import { journeyReachRoutes } from './journey-reach.js';
import { journeyTellingRoutes } from './journey-telling.js';
import { journeyVersionRoutes } from './journey-versions.js';
import { journeyRoutes } from './journeys.js';
import { listGrowthRoutes } from './list-growth.js';
import { listMemberRoutes } from './list-members.js';
import { listRoutes } from './lists.js';
import { meRoutes } from './me.js';
import { messageRoutes } from './messages.js';
import { operationRoutes } from './operations.js';
import { organizationRoutes } from './organizations.js';
import { outboxRoutes } from './outbox.js';
import { peopleRoutes } from './people.js';
import { propertyRoutes } from './properties.js';
import { recipientRoutes } from './recipients.js';
import { reportRoutes } from './reports.js';
import type { Route } from './route.js';
import { sendingRoutes } from './sending.js';
import { statsRoutes } from './stats.js';
import { suppressionRoutes } from './suppressions.js';
import { tenantRoutes } from './tenants.js';
import { tokenRoutes } from './tokens.js';
import { topicRoutes } from './topics.js';
import { userRoutes } from './users.js';
import { webhookCareRoutes } from './webhook-care.js';
import { webhookRoutes } from './webhooks.js';
import { weeklySummaryRoutes } from './weekly-summary.js';
import { whyRoutes } from './why.js';
import { workspaceRoutes } from './workspace.js';
import { workspaceHealthRoutes } from './workspace-health.js';

export const routes: readonly Route[] = [
  ...contactRoutes,
  ...contactExportRoutes,
  ...importRoutes,
  ...propertyRoutes,
  ...eventRoutes,
  ...eventReadRoutes,
  ...ingestRoutes,
  ...activityRoutes,
  ...userRoutes,
  ...organizationRoutes,
  ...listRoutes,
  ...listMemberRoutes,
  ...listGrowthRoutes,
  ...dynamicListRoutes,
  ...dynamicListReads,
  ...emailRoutes,
  ...recipientRoutes,
  ...designRoutes,
  ...emailHistoryRoutes,
  ...emailTextRoutes,
  ...emailPreviewRoutes,
  ...fileRoutes,
  ...outboxRoutes,
  ...emailVersionRoutes,
  ...messageRoutes,
  ...suppressionRoutes,
  ...topicRoutes,
  ...formRoutes,
  ...broadcastRoutes,
  ...broadcastLifeRoutes,
  ...journeyRoutes,
  ...journeyLifeRoutes,
  ...enrolmentRoutes,
  ...journeyVersionRoutes,
  ...journeyTellingRoutes,
  ...journeyReachRoutes,
  ...whyRoutes,
  ...statsRoutes,
  ...reportRoutes,
  ...webhookRoutes,
  ...webhookCareRoutes,
  ...identityProviderRoutes,
  ...folderRoutes,
  ...meRoutes,
  ...weeklySummaryRoutes,
  ...alertRoutes,
  ...workspaceRoutes,
  ...domainLinkRoutes,
  ...brandingRoutes,
  ...defaultSenderRoutes,
  ...workspaceHealthRoutes,
  ...peopleRoutes,
  ...tokenRoutes,
  ...auditRoutes,
  ...connectedAppRoutes,
  ...agentPlanRoutes,
  ...tenantRoutes,
  ...sendingRoutes,
  ...operationRoutes,
];
