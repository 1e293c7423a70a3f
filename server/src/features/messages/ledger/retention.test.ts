// Texts that were made for one person are removed after a while; shared texts stay.
import { expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeMailer } from '../../../../test/messages.js';
import { sql } from '../../../db/sql.js';
import { sweepContents } from './contents/queries.js';

const t = useApp({ work: true });

it('removes texts of versions that are too old, and no others', async () => {
  const own = await makeMailer(t);
  const html = '<p>Only for you</p><a href="{{unsubscribe_url}}">Unsubscribe</a>';
  const ids: string[] = [];
  for (const email of ['old@x.io', 'new@x.io', 'again@x.io', 'plain@x.io']) {
    const contactId = await own.contact(email);
    if (email !== 'plain@x.io')
      await own.post('/v2/email-versions', { assetId: own.emailId, email, subject: 'For you', html });
    const messageId = await own.queue({ contactId });
    await own.until(messageId, 'sent');
    ids.push(messageId);
    // All but the new one were stored long ago.
    if (email !== 'new@x.io')
      await t.db.run(sql`
        update message_content set stored_at = now() - interval '31 days'
        where content_hash = (select content_hash from message where message_id = ${messageId})`);
  }
  // A person who got it long ago gets it again.
  await own.until(await own.queue({ email: 'again@x.io' }), 'sent');
  expect(await sweepContents(t.db, 32, 10)).toBe(0);
  expect(await sweepContents(t.db, 30, 10)).toBe(1);
  expect(await sweepContents(t.db, 30, 10)).toBe(0);
  const kept = await t.db.rows(sql<{ id: string }>`
    select distinct on (address) message_id as id from message m join message_content c on c.tenant_id = m.tenant_id and c.content_hash = m.content_hash
    where m.tenant_id = ${own.tenantId} order by address, queued_at`);
  expect(kept.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());
});
