import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeContacts, makeTopic } from '../../../test/consent.js';
import { html } from '../../../test/engagement.js';
import { eventually, type Mailer, makeMailer } from '../../../test/messages.js';
import { person, useOldQueue, usePost } from '../../../test/statistics.js';
import { sql } from '../../db/sql.js';
import { recountMessages } from '../messages/index.js';

const post = usePost({ behindMs: 60_000 });
const t = useApp(post.options);
useOldQueue(t);
let mailer: Mailer;
let topicId = '';
beforeAll(async () => {
  mailer = await makeMailer(t, { html });
  topicId = await makeTopic(mailer, 'News', { byDefault: 'subscribed' });
  await mailer.patch(`/v2/emails/${mailer.emailId}`, { topicId });
});
const read = async (query = '') => (await mailer.get(`/v2/topics/${topicId}/stats${query}`)).body.data;

describe('the statistics of a topic', () => {
  it('count the messages that left with it, and what contacts said of it', async () => {
    const contacts = [await mailer.contact('one@example.com'), await mailer.contact('two@example.com')];
    for (const contactId of contacts) await mailer.until(await mailer.queue({ contactId }), 'sent');
    await mailer.patch(`/v2/emails/${mailer.emailId}`, { topicId: null });
    await mailer.until(await mailer.queue({ contactId: contacts[0] }), 'sent');
    const say = (contactId: string | undefined, state: string) =>
      mailer.put(`/v2/contacts/${contactId}/topics/${topicId}`, { state });
    await say(contacts[0], 'unsubscribed');
    await say(contacts[0], 'subscribed');
    await say(contacts[1], 'unsubscribed');
    const data = await eventually(read, ({ sent }) => sent === 2);
    expect(data).toMatchObject({
      ...{ topicId, name: 'News', sent: 2, delivered: 2, opened: 0, rates: { deliveryRate: 1 } },
      became: { subscribed: 1, unsubscribed: 2, pending: 0 },
    });
    expect(data.series).toHaveLength(1);
    expect(data.series[0]).toMatchObject({ sent: 2, became: { subscribed: 1, unsubscribed: 2, pending: 0 } });
    expect(await read('?endTime=2020-01-01')).toMatchObject({
      ...{ sent: 0, became: { subscribed: 0, unsubscribed: 0, pending: 0 }, series: [] },
    });
    const hours = await read('?interval=hour&start_time=2020-01-01');
    expect(hours.became).toEqual(data.became);
    expect(await recountMessages(t.db, mailer.tenantId)).toEqual([]);
  });

  it('are not found for another tenant, nor of a topic that is gone', async () => {
    const other = await t.tenant();
    for (const path of [`/v2/topics/${topicId}/stats`, '/v2/topics/x/stats', `/v2/topics/${'0'.repeat(24)}/stats`])
      expect((await other.get(path)).status).toBe(404);
  });

  it('read the log by the topic and the window', async () => {
    await makeContacts(mailer, 'three@example.com');
    const plan = await t.db.rows(sql<{ 'QUERY PLAN': string }>`
      explain select count(*) from consent_log
      where tenant_id = ${mailer.tenantId} and topic_id = ${sql`decode(${topicId}, 'hex')`} and at >= now() - interval '1 day'`);
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('consent_log_by_topic');
  });
});

it('counts opens and clicks for the topic too, as a recount does', async () => {
  const own = await makeTopic(mailer, 'Opened', { byDefault: 'subscribed' });
  await mailer.patch(`/v2/emails/${mailer.emailId}`, { topicId: own });
  const contactId = await mailer.contact('opens@example.com');
  await mailer.until(await mailer.queue({ contactId }), 'sent');
  const [{ mail } = {} as never] = await eventually(
    async () => post.server.to('opens@example.com'),
    ({ length }) => length === 1,
  );
  const pathOf = (kind: string) => new RegExp(`/t/${kind}/[\\w-]+`).exec(mail.html ?? '')?.[0] ?? '';
  await post.clock.true(() => t.anonymous.get(pathOf('o'), person));
  await post.clock.true(() => t.anonymous.get(pathOf('c'), person));
  await t.anonymous.post(pathOf('u'), 'List-Unsubscribe=One-Click');
  const stats = async () => (await mailer.get(`/v2/topics/${own}/stats`)).body.data;
  const isAll = ({ opened, clicked, unsubscribed }: Record<string, number>) =>
    opened === 1 && clicked === 1 && unsubscribed === 1;
  const data = await eventually(stats, isAll);
  expect(data).toMatchObject({ sent: 1, uniqueOpened: 1, uniqueClicked: 1, became: { unsubscribed: 1 } });
  expect(await recountMessages(t.db, mailer.tenantId)).toEqual([]);
});
