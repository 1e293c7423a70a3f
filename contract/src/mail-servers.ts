// A tenant's own mail server: how it is named, what a test of it says, and its administration. Bearer: ADMIN_TOKEN.
import { Type } from 'typebox';
import { adminRoute } from './route.js';
import { EmailText, Instant, InternetEmailText, Named, Nullable, Success, Text, Words } from './schema.js';

export const transportSecurities = ['auto', 'starttls', 'tls', 'none'] as const;
export type TransportSecurity = (typeof transportSecurities)[number];
export const mailServerProblems = [
  ...['nameNotFound', 'dnsSilent', 'notPublic', 'refused', 'unreachable', 'timeout', 'certificate', 'encryption'],
  ...['signIn', 'noSignIn', 'sender', 'recipient', 'content', 'rejected', 'lost'],
] as const;

const Security = Words(
  transportSecurities,
  '`auto`: STARTTLS if the server offers it; `starttls`: required; `tls`: from the first byte, usually at port 465; `none`.',
);
export const MailTransport = Named('MailTransport', {
  smtpUrl: Type.String({ description: 'All of it as one address, without the password.' }),
  host: Type.String(),
  port: Type.Integer(),
  security: Security,
  user: Nullable(Type.String({ description: 'Null: there is no sign-in.' })),
  hasPassword: Type.Boolean({ description: 'The password itself is never shown.' }),
  rate: Nullable(Type.Integer({ description: 'Messages a second.' })),
  maxConnections: Nullable(Type.Integer()),
  updatedAt: Instant,
});
const serverFields = {
  host: Type.Optional(Text(253, { description: 'Host name or IP address. This and the next four, or `smtpUrl`.' })),
  port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, description: '465 for `tls`, else 587, unless it is given.' }),
  ),
  security: Type.Optional(Security),
  user: Type.Optional(Nullable(Text(320), 'For the sign-in. Without it there is none.')),
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Left out, the stored one is kept, if host and user stay the same.',
    }),
  ),
  smtpUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      trim: true,
      description:
        'All of it as one address: `smtp://user:password@host:587` or `smtps://…`. May end in `?requireTLS=true`, `ignoreTLS`, `name`, `tls.servername` or `tls.rejectUnauthorized`.',
    }),
  ),
};
export const TransportBody = Type.Object({
  ...serverFields,
  rate: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Messages a second.' })),
  maxConnections: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Connections at once.' })),
});
export const TransportTestBody = Type.Object({
  ...serverFields,
  from: Type.Optional(
    Type.String({
      ...EmailText,
      description:
        'Sender of the test mail, at one of the sending domains. By default `test@` the one that was added first.',
    }),
  ),
  to: Type.Optional(
    Type.String({
      ...InternetEmailText,
      description: 'Who gets the test mail. By default the address of the account that asks.',
    }),
  ),
});
export const MailServerTest = Named('MailServerTest', {
  ok: Type.Boolean(),
  problem: Nullable(Words(mailServerProblems, 'What failed. Null: nothing.')),
  message: Type.String({ description: 'For people: what happened, and what to do.' }),
  reply: Nullable(Type.String({ description: 'What the server said last, without addresses and secrets.' })),
  isEncrypted: Nullable(Type.Boolean(), 'Null: not known, because it failed before.'),
  from: Nullable(Type.String({ description: 'Null, like `to`: no mail was sent, only the sign-in was tried.' })),
  to: Nullable(Type.String()),
});
const transport = {
  smtpUrl: 'smtp://mailer:***@smtp.example.com:587',
  ...{ host: 'smtp.example.com', port: 587, security: 'auto', user: 'mailer', hasPassword: true },
  rate: 20,
  maxConnections: 4,
  updatedAt: '2026-11-15T09:30:00.000Z',
};
const ofTenant = { tenantId: 'Tenant number.' };
const path = { tenantId: '1' };
const tag = 'Administration';

const transportPath = '/admin/tenants/{tenantId}/transport';

export const setTransport = adminRoute({
  id: 'setTransport',
  tag,
  method: 'PUT',
  path: transportPath,
  summary: 'Give a tenant its own mail server',
  description:
    'Instead of `SMTP_URL`. Its host with port and sign-in, or all of that as one address. Encrypted at rest; the password is never shown again.',
  pathParams: ofTenant,
  body: TransportBody,
  data: MailTransport,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path,
    body: {
      ...{ host: 'smtp.example.com', port: 587, security: 'auto', user: 'mailer', password: 'secret' },
      ...{ rate: 20, maxConnections: 4 },
    },
    data: transport,
  },
});
export const getTransport = adminRoute({
  id: 'getTransport',
  tag,
  method: 'GET',
  path: transportPath,
  summary: "Read a tenant's own mail server",
  description: '404 if the tenant has none and uses that of the installation.',
  pathParams: ofTenant,
  data: MailTransport,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path, data: transport },
});
export const removeTransport = adminRoute({
  id: 'removeTransport',
  tag,
  method: 'DELETE',
  path: transportPath,
  summary: "Remove a tenant's own mail server",
  pathParams: ofTenant,
  data: Success,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, data: { success: true } },
});
