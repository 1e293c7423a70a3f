// The audit log of a workspace: who did what, in order, for good.
import { Type } from 'typebox';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AccountName, FreeObject, Instant, Named, Nullable } from './schema.js';

export const AuditEntry = Named('AuditEntry', {
  entryNo: Type.Integer({ description: 'From 1, without a gap.' }),
  at: Instant,
  account: Nullable(AccountName),
  action: Type.String({ description: 'Such as `token.created`: what it was done to, and what was done.' }),
  subject: Nullable(Type.String({ description: 'What it was done to: an id or a number.' })),
  subjectName: Nullable(
    Type.String(),
    'Its name: the current name or address of a person or contact, else the name that the log kept. Null if there is none, or it is erased.',
  ),
  detail: FreeObject,
  address: Nullable(Type.String({ description: 'Where the request came from.' })),
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 over this entry and the hash of the previous one, so that no change goes unnoticed.',
  }),
});

const text = (description: string) => ({ kind: 'text', emptyIsAbsent: false, repeatable: false, description }) as const;
const instant = (description: string) => ({ kind: 'instant', repeatable: false, description }) as const;

export const listAuditLog = route({
  id: 'listAuditLog',
  tag: 'Audit log',
  method: 'GET',
  path: '/audit-log',
  versions: onlyV2,
  adminOnly: true,
  summary: 'Read what was done in the workspace',
  description:
    'Newest first. Different filters must all match. `account` is null if an operator did it, or the actor is unknown.',
  query: {
    ...paging,
    action: text(
      'Only entries of this action, such as `token.created`. An action that never happened gives an empty page.',
    ),
    accountId: text('What this account did.'),
    from: instant('Nothing before this moment.'),
    to: instant('Nothing after this moment.'),
  },
  data: AuditEntry,
  paged: true,
  errors: [],
  example: {
    query: { action: 'token.created' },
    data: [
      {
        entryNo: 42,
        at: '2026-11-15T09:30:00.000Z',
        account: { accountId: 1, name: 'Ada Lovelace' },
        action: 'token.created',
        subject: '7',
        subjectName: 'CRM sync',
        detail: { name: 'CRM sync', scopes: ['READ'] },
        address: '198.51.100.7',
        hash: '8d969eef6ecad3c29a3a629280e686cf0c3f5d5a86aff3ca12020c923adc6c92',
      },
    ],
  },
});

export const auditRoutes = [listAuditLog] as const;
