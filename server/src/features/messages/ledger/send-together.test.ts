import { expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeMailer } from '../../../../test/messages.js';

const t = useApp({ work: true });

it('gives each concurrent request its own id, or its own error', async () => {
  const mailer = await makeMailer(t);
  const { emailId } = mailer;
  const emails = Array.from({ length: 20 }, (_, i) => `together${i}@example.org`);
  for (const email of emails) await mailer.contact(email);
  const sendAt = '2099-01-01T00:00:00.000Z';
  const bodies = [
    ...emails.map((email) => ({ emailId, email, sendAt })),
    { emailId, email: 'nobody@example.org', sendAt },
    { emailId: '0'.repeat(emailId.length), email: emails[0], sendAt },
    { emailId, email: emails[0], sendAt, data: { text: 'a\u0000b' } },
  ];
  const replies = await Promise.all(bodies.map((body) => mailer.post('/v2/messages', body)));
  expect(replies.map(({ status }) => status)).toEqual([...emails.map(() => 200), 400, 404, 400]);
  const ids = replies.slice(0, emails.length).map(({ body }) => body.data.messageId);
  expect(new Set(ids).size).toBe(emails.length);
  for (const [i, id] of ids.entries())
    expect(await mailer.message(id)).toMatchObject({ email: emails[i], state: 'queued' });
  const { body } = await mailer.get('/v2/messages');
  expect(body.pagination.totalElements).toBe(emails.length);
});
