// What people do in their own workspace: who they are, its settings, people, tokens and log. For admins what /admin is for operators.
import { auditEndpoints } from './audit-log.js';
import { invitationEndpoints } from './invitations.js';
import { meEndpoints } from './me.js';
import type { WorkspaceNeeds } from './needs.js';
import { peopleEndpoints } from './people/routes.js';
import { settingsEndpoints } from './settings.js';
import { tokenEndpoints } from './tokens.js';

export function workspace(needs: WorkspaceNeeds) {
  return {
    endpoints: [
      ...meEndpoints(needs),
      ...settingsEndpoints(needs),
      ...peopleEndpoints(needs),
      ...invitationEndpoints(needs),
      ...tokenEndpoints(needs),
      ...auditEndpoints(needs),
    ],
  };
}
