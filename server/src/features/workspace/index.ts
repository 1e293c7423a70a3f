// What people do in their own workspace: who they are, its settings, people, tokens and log. For admins what /admin is for operators.
import type { FastifyInstance } from 'fastify';
import { auditEndpoints } from './audit-log.js';
import { defaultSenderEndpoints } from './default-sender.js';
import { dnsPagePaths, installDnsPage } from './dns-page.js';
import { auditExportPath, installAuditExport } from './export-audit-log.js';
import { invitationEndpoints } from './invitations.js';
import { meEndpoints } from './me.js';
import type { WorkspaceNeeds } from './needs.js';
import { peopleEndpoints } from './people/routes.js';
import { settingsEndpoints } from './settings.js';
import { tokenEndpoints } from './tokens.js';

export function workspace(needs: WorkspaceNeeds) {
  return {
    serves: [...dnsPagePaths, auditExportPath],
    install: (http: FastifyInstance) => {
      installDnsPage(http, needs.sending);
      installAuditExport(http, needs.db);
    },
    endpoints: [
      ...meEndpoints(needs),
      ...settingsEndpoints(needs),
      ...defaultSenderEndpoints(needs),
      ...peopleEndpoints(needs),
      ...invitationEndpoints(needs),
      ...tokenEndpoints(needs),
      ...auditEndpoints(needs),
    ],
  };
}
