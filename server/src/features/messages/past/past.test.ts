// A recorded history: the ledger, the figures and the timelines show it like messages that were sent here.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeEmail } from '../../../../test/emails.js';
import { makeContact } from '../../../../test/events.js';
import { recountMessages } from '../figures/recount.js';

const t = useApp({ work: true });

it('counts past messages and their results at their times, exactly like a recount', async () => {
  const tenant = await t.tenant();
  const { tenantId } = tenant;
  await t.admin.post(`/admin/tenants/${tenantId}/sending-domains`, { domain: 'example.com' });
  const emailId = await makeEmail(tenant);
  const contactId = await makeContact(tenant, 'ada@x.io');
  const { body } = await tenant.post('/v2/messages', { emailId, email: 'ada@x.io' });
  const like: string = body.data.messageId;
  const past = { like, contactId, address: 'ada@x.io', subject: 'Once' };
  const [agent, url] = ['Firefox', 'https://x.io/a'];
  await t.app.mail.recordPast(tenantId, [
    {
      ...{ ...past, sentAt: '2026-10-01T09:00:00.000Z' },
      became: [
        { what: 'delivered', at: '2026-10-01T09:00:02.000Z' },
        { what: 'opened', at: '2026-10-01T10:00:00.000Z', agent },
        { what: 'clicked', at: '2026-10-01T10:01:00.000Z', agent, linkNo: 0, url },
      ],
    },
    {
      ...{ ...past, sentAt: '2026-10-02T09:00:00.000Z' },
      became: [{ what: 'softBounced', at: '2026-10-02T09:00:02.000Z', reason: 'Mailbox full' }],
    },
    { ...past, like: '9'.repeat(32), sentAt: '2026-10-03T09:00:00.000Z', became: [] },
  ]);
  const query = 'startTime=2026-10-01&endTime=2026-10-31';
  const read = async () => (await tenant.get(`/v2/emails/${emailId}/stats?${query}`)).body.data;
  for (let tries = 0; (await read()).clicked === 0 && tries < 1000; tries++) await sleep(10);
  expect(await read()).toMatchObject({ sent: 2, delivered: 1, opened: 1, clicked: 1, softBounced: 1, hardBounced: 0 });
  expect(await recountMessages(t.db, tenantId)).toEqual([]);
  const listed = (await tenant.get(`/v2/messages?${query}`)).body;
  expect(listed.pagination.totalElements).toBe(2);
  expect(listed.data[1]).toMatchObject({ subject: 'Once', state: 'delivered', sentAt: '2026-10-01T09:00:00.000Z' });
  const activity = (await tenant.get(`/v2/contacts/${contactId}/marketing-activity?${query}`)).body.data;
  expect(activity.map(({ eventName }: { eventName: string }) => eventName)).toEqual(
    expect.arrayContaining(['sent', 'delivered', 'opened', 'clicked']),
  );
});
