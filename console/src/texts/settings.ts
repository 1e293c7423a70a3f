// Settings of a workspace: the frame, and its own card. People, access and sending have files of their own beside this one.
import type { AgentScope, Role, TokenScope } from '@rapport/contract';
import { counted } from './numbers.ts';

export const roleNames: Readonly<Record<Role, string>> = { admin: 'Admin', member: 'Member', viewer: 'Viewer' };
export const roleNotes: Readonly<Record<Role, string>> = {
  admin: 'Full access',
  member: 'Everything except workspace settings',
  viewer: 'Read only',
};
export const t = {
  title: 'Settings',
  lead: (workspace: string) => `Settings for ${workspace}.`,
  tabs: 'Settings sections',
  workspace: 'Workspace',
  people: 'People',
  tokens: 'Tokens',
  apps: 'Connected apps',
  domains: 'Sending domains',
  transport: 'Mail server',
  hooks: 'Mail hooks',
  alerts: 'Alerts',
  sso: 'Single sign-on',
  audit: 'Audit log',
  adminOnly: 'Admins only',
  adminOnlyText: 'Only workspace admins can see and change this. Ask one of them for help.',
  askAdmin: 'Only admins can change this.',
  seePeople: 'See admins',
  name: 'Name',
  enterName: 'Enter a name.',
  timeZone: 'Time zone',
  timeZoneNote: 'Used in journeys and sends for contacts without a time zone.',
  noTimeZone: 'UTC (default)',
  details: 'Details',
  budget: 'Rate limit',
  budgetValue: (rate: number) => `${counted(rate, 'request')} per second, across all tokens`,
  budgetNote: 'The operator of this installation sets the rate limit.',
  tenantId: 'Workspace ID',
  save: 'Save',
  saved: 'Saved.',
  actions: (name: string) => `Actions for ${name}`,
  more: 'Actions',
};
/** What an app may do as an agent. */
const agentScopeNames: Readonly<Record<AgentScope, string>> = {
  read: 'Agent: read',
  people: 'Agent: see people',
  write: 'Agent: draft',
  send: 'Agent: reach people',
};

const scopeNames: Readonly<Record<TokenScope, string>> = { READ: 'Read', WRITE: 'Write', INGEST: 'Ingest only' };

/** What a token or an app may do: `Read and write, Agent: draft`. */
export function scopesInWords(scopes: readonly (TokenScope | AgentScope)[]): string {
  const isBoth = scopes.includes('READ') && scopes.includes('WRITE');
  const others = scopes.filter((scope) => !isBoth || (scope !== 'READ' && scope !== 'WRITE'));
  const names = others.map((scope) => ({ ...scopeNames, ...agentScopeNames })[scope]);
  return [...(isBoth ? ['Read and write'] : []), ...names].join(', ');
}
