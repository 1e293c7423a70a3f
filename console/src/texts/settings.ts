// Settings of a workspace: the frame, and its own card. People, access and sending have files of their own beside this one.
import type { Role, TokenScope } from '@rapport/contract';

export const roleNames: Readonly<Record<Role, string>> = { admin: 'Admin', member: 'Member', viewer: 'Viewer' };
export const roleNotes: Readonly<Record<Role, string>> = {
  admin: 'May do everything',
  member: 'All but looking after the workspace',
  viewer: 'Reads, and changes nothing',
};
export const scopeNames: Readonly<Record<TokenScope, string>> = { READ: 'Read', WRITE: 'Write', INGEST: 'Ingest only' };

export const t = {
  title: 'Settings',
  lead: (workspace: string) => `Of the workspace ${workspace}.`,
  tabs: 'Parts of settings',
  workspace: 'Workspace',
  people: 'People',
  tokens: 'Tokens',
  apps: 'Connected apps',
  domains: 'Sending domains',
  transport: 'Mail server',
  hooks: 'Mail hooks',
  sso: 'Single sign-on',
  audit: 'Audit log',
  adminOnly: 'For admins',
  adminOnlyText:
    'Only admins of the workspace see and change this. Ask one of them; the list of people says who they are.',
  askAdmin: 'Only admins change this.',
  seePeople: 'See who they are',
  name: 'Name',
  enterName: 'Enter a name',
  timeZone: 'Time zone',
  timeZoneNote: 'Where people are when nothing else says so. Journeys and sending follow it.',
  noTimeZone: 'UTC',
  budget: 'Budget',
  requests: 'Requests',
  budgetValue: (rate: string) => `${rate} a second, all tokens together`,
  budgetNote: 'The operator of the installation sets it.',
  tenantId: 'Workspace',
  number: (tenantId: number) => `Number ${tenantId}`,
  save: 'Save',
  saved: 'Saved.',
  actions: (name: string) => `Actions for ${name}`,
  more: 'Actions',
};
