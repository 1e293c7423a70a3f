import { expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { tenantWithDomain } from '../../../../test/emails.js';
import { insertOutboxMessage } from './queries.js';

const t = useApp();

it('keeps a message once, though it is sent again with the same Message-ID after a kill', async () => {
  const tenant = await tenantWithDomain(t);
  const message = {
    tenantId: tenant.tenantId,
    messageId: '<0190@example.com>',
    from: { email: 'hello@example.com', name: null },
    to: 'ada@example.org',
    forEmail: null,
    replyTo: 'hello@example.com',
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: 'Hello',
  };
  await insertOutboxMessage(t.db, message);
  await insertOutboxMessage(t.db, { ...message, subject: 'Again' });
  await insertOutboxMessage(t.db, { ...message, messageId: '<0191@example.com>' });
  const { body } = await tenant.get('/v2/outbox');
  expect(body.data.map((row: { subject: string }) => row.subject)).toEqual(['Hello', 'Hello']);
  expect(body.pagination.totalElements).toBe(2);
});
