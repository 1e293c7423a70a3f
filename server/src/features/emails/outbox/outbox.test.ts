import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { tenantWithDomain } from '../../../../test/emails.js';
import { LinkMaker } from '../../messages/tracking/tokens.js';
import { trackHtml } from '../../messages/tracking/track-html.js';
import { insertOutboxMessage } from './queries.js';

const t = useApp();

const kept = (tenantId: number) => ({
  tenantId,
  messageId: '<0190@example.com>',
  from: { email: 'hello@example.com', name: null },
  to: 'ada@example.org',
  forEmail: null,
  replyTo: 'hello@example.com',
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
});

it('keeps a message once, though it is sent again with the same Message-ID after a kill', async () => {
  const tenant = await tenantWithDomain(t);
  const message = kept(tenant.tenantId);
  await insertOutboxMessage(t.db, message);
  await insertOutboxMessage(t.db, { ...message, subject: 'Again' });
  await insertOutboxMessage(t.db, { ...message, messageId: '<0191@example.com>' });
  const { body } = await tenant.get('/v2/outbox');
  expect(body.data.map((row: { subject: string }) => row.subject)).toEqual(['Hello', 'Hello']);
  expect(body.pagination.totalElements).toBe(2);
});

it('is shown in the console without what would count as an open or a click, and read as it was made', async () => {
  const tenant = await tenantWithDomain(t);
  const links = new LinkMaker('https://mail.example.com', randomBytes(32), tenant.tenantId, '0190'.repeat(8));
  const { html } = trackHtml('<body><a href="https://shop.example.com/">Shop</a></body>', links);
  expect(html).toMatch(/href="[^"]*\/t\/c\/.*src="[^"]*\/t\/o\//);
  await insertOutboxMessage(t.db, { ...kept(tenant.tenantId), html });
  const { body } = await tenant.get(`/v2/outbox/${encodeURIComponent('<0190@example.com>')}`);
  expect(body.data.html).toBe(html);
  const shown = await t.app.http.inject({
    method: 'POST',
    url: '/console/preview',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    payload: new URLSearchParams({ html }).toString(),
  });
  expect(shown.body).toBe('<body><a href="https://shop.example.com/">Shop</a></body>');
});
