// The sender of new emails, unless their author names another.
import { Type } from 'typebox';
import { onlyV2, route } from './route.js';
import { EmailText, HeaderText, Named, Nullable } from './schema.js';

const DefaultSender = Named('DefaultSender', {
  fromEmail: Nullable(
    Type.Object({ email: Type.String(), name: Nullable(Type.String()) }),
    'The sender of new emails. Null: none.',
  ),
  replyTo: Nullable(Type.String({ description: 'Where answers to new emails go. Null: to their sender.' })),
});
const tag = 'Workspace';
const path = '/workspace/default-sender';
const example = { fromEmail: { email: 'hello@example.com', name: 'Acme' }, replyTo: 'support@example.com' };

export const getDefaultSender = route({
  id: 'getDefaultSender',
  tag,
  method: 'GET',
  path,
  versions: onlyV2,
  summary: 'Read the sender that new emails begin with',
  data: DefaultSender,
  paged: false,
  errors: [],
  example: { data: example },
});

export const setDefaultSender = route({
  id: 'setDefaultSender',
  tag,
  method: 'PUT',
  path,
  versions: onlyV2,
  adminOnly: true,
  summary: 'Change the sender that new emails begin with',
  description:
    'All of it: what is left out or null is removed. The console fills it into the form of each new email. Emails that exist stay as they are, and `POST /emails` still names its sender.',
  body: Named('DefaultSenderInput', {
    fromEmail: Type.Optional(
      Nullable(
        Type.Object(
          { email: EmailText, name: Type.Optional(Nullable(HeaderText(255, 'Shown as the sender.'))) },
          { description: 'The domain of the address must be approved.' },
        ),
      ),
    ),
    replyTo: Type.Optional(Nullable(EmailText)),
  }),
  data: DefaultSender,
  paged: false,
  errors: ['UnapprovedEmailDomainException'],
  example: { body: example, data: example },
});

export const defaultSenderRoutes = [getDefaultSender, setDefaultSender] as const;
