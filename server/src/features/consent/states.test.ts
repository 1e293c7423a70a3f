import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { countsOf, leftTopics, logOf, makeContacts, makeTopic, statesOf } from '../../../test/consent.js';
import { eventually } from '../../../test/messages.js';
import { makeTeam } from '../../../test/team.js';
import { sql } from '../../db/sql.js';

import { consentLines } from './export-consent.js';

const t = useApp({ work: true });
const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('what a contact is to topics', () => {
  it('is their default until something is said, and that at once', async () => {
    const tenant = await t.tenant();
    const [id] = await makeContacts(tenant, 'ada@example.com');
    const news = await makeTopic(tenant, 'News');
    const tips = await makeTopic(tenant, 'Tips', { byDefault: 'subscribed', visibility: 'private' });
    const before = { since: null, source: null };
    const rows = async () => (await tenant.get(`/v2/contacts/${id}/topics`)).body.data;
    const [first, second] = [
      { topicId: news, key: 'news', name: 'News', visibility: 'public', state: 'unsubscribed', ...before },
      { topicId: tips, key: 'tips', name: 'Tips', visibility: 'private', state: 'subscribed', ...before },
    ];
    expect(await rows()).toEqual([first, second]);
    const said = await tenant.put(`/v2/contacts/${id}/topics/${news}`, { state: 'subscribed', text: 'Yes, please' });
    expect(said.body.data).toEqual({ ...first, state: 'subscribed', since: at, source: 'api' });
    expect(await rows()).toEqual([said.body.data, second]);
  });

  it('is in the log with who said it and by what words, newest first, and only where it changed', async () => {
    const tenant = await t.tenant();
    const [id] = await makeContacts(tenant, 'ada@example.com');
    const topicId = await makeTopic(tenant, 'News');
    const put = (state: string, text?: string) => tenant.put(`/v2/contacts/${id}/topics/${topicId}`, { state, text });
    await put('subscribed', 'Yes, please');
    await put('subscribed', 'Once more');
    await put('unsubscribed');
    const { data, pagination } = (await tenant.get(`/v2/contacts/${id}/consent-log`)).body;
    const entry = { at, topicId, source: 'api', formId: null, accountId: expect.any(Number) };
    expect(data).toEqual([
      { ...entry, state: 'unsubscribed', text: null },
      { ...entry, state: 'subscribed', text: 'Yes, please' },
    ]);
    expect(pagination.totalElements).toBe(2);
    const second = (await tenant.get(`/v2/contacts/${id}/consent-log?pageSize=1&pageNumber=2`)).body.data;
    expect(second).toEqual(data.slice(1));
  });

  it('is said by a person where it is said in the console', async () => {
    const team = await makeTeam(t);
    const [id] = await makeContacts(team.program, 'ada@example.com');
    const topicId = await makeTopic(team.program, 'News');
    await t.db.run(sql`
      update access_token set kind = 'session' where tenant_id = ${team.tenantId} and account_id = ${team.member.accountId}`);
    await team.member.put(`/v2/contacts/${id}/topics/${topicId}`, { state: 'subscribed' });
    const { data } = (await team.viewer.get(`/v2/contacts/${id}/consent-log`)).body;
    expect(data).toMatchObject([{ source: 'person', accountId: team.member.accountId }]);
    expect((await team.viewer.put(`/v2/contacts/${id}/topics/${topicId}`, { state: 'subscribed' })).status).toBe(403);
  });

  it('is counted exactly, defaults aside', async () => {
    const tenant = await t.tenant();
    const ids = await makeContacts(tenant, 'a@example.com', 'b@example.com', 'c@example.com');
    const topicId = await makeTopic(tenant, 'News');
    const put = (i: number, state: string) => tenant.put(`/v2/contacts/${ids[i]}/topics/${topicId}`, { state });
    expect(await countsOf(tenant, topicId)).toEqual([0, 0, 0]);
    await Promise.all([put(0, 'subscribed'), put(1, 'subscribed'), put(1, 'subscribed'), put(2, 'unsubscribed')]);
    expect(await countsOf(tenant, topicId)).toEqual([2, 1, 0]);
    await put(0, 'unsubscribed');
    expect(await countsOf(tenant, topicId)).toEqual([1, 2, 0]);
  });

  it('is one thing, however many say the first word at once', async () => {
    const tenant = await t.tenant();
    const [id] = await makeContacts(tenant, 'ada@example.com');
    const topicId = await makeTopic(tenant, 'News');
    const states = Array.from({ length: 12 }, (_, i) => (i % 2 ? 'subscribed' : 'unsubscribed'));
    const replies = await Promise.all(
      states.map((state) => tenant.put(`/v2/contacts/${id}/topics/${topicId}`, { state })),
    );
    expect(replies.map(({ status }) => status)).toEqual(states.map(() => 200));
    const log = await logOf(tenant, id as string);
    const [last] = log.slice(-1);
    expect(log.every(([state], i) => i === 0 || state !== log[i - 1]?.[0])).toBe(true);
    expect((await statesOf(tenant, id as string)).news).toBe(last?.[0]);
    expect(await countsOf(tenant, topicId)).toEqual(last?.[0] === 'subscribed' ? [1, 0, 0] : [0, 1, 0]);
  });

  it('refuses other words, and knows neither contacts nor topics of another tenant', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    const [id] = await makeContacts(tenant, 'ada@example.com');
    const topicId = await makeTopic(tenant, 'News');
    const path = `/v2/contacts/${id}/topics/${topicId}`;
    for (const body of [{}, { state: 'pending' }, { state: true }, { state: 'subscribed', text: 'x'.repeat(1001) }])
      expect((await tenant.put(path, body)).status).toBe(400);
    const theirs = await makeTopic(other, 'News');
    expect((await tenant.put(`/v2/contacts/${id}/topics/${theirs}`, { state: 'subscribed' })).status).toBe(404);
    const reply = await other.put(`/v2/contacts/${id}/topics/${theirs}`, { state: 'subscribed' });
    expect([reply.status, reply.body.errors[0].errorCode]).toEqual([400, 'BAS-E-002']);
    for (const read of ['topics', 'consent-log'])
      expect((await other.get(`/v2/contacts/${id}/${read}`)).status).toBe(400);
  });
});

describe('unsubscribing from a topic', () => {
  it('is marketing activity with its id, once for each time, and none of who was never subscribed', async () => {
    const tenant = await t.tenant();
    const [id] = (await makeContacts(tenant, 'ada@example.com')) as [string];
    const news = await makeTopic(tenant, 'News');
    const tips = await makeTopic(tenant, 'Tips', { byDefault: 'subscribed' });
    const put = (topicId: string, state: string) => tenant.put(`/v2/contacts/${id}/topics/${topicId}`, { state });
    await put(news, 'unsubscribed');
    await put(tips, 'unsubscribed');
    await put(tips, 'unsubscribed');
    expect(
      await eventually(
        () => leftTopics(tenant, id),
        (left) => left.length > 0,
      ),
    ).toEqual([tips]);
    await put(news, 'subscribed');
    await put(news, 'unsubscribed');
    expect(
      await eventually(
        () => leftTopics(tenant, id),
        (left) => left.length > 1,
      ),
    ).toEqual([news, tips]);
  });
});

describe('an erasure', () => {
  it('removes what was said and its log, and the address stays unsubscribed when it comes back', async () => {
    const tenant = await t.tenant();
    const [id] = (await makeContacts(tenant, 'ada@example.com')) as [string];
    const topics = [await makeTopic(tenant, 'News'), await makeTopic(tenant, 'Tips', { byDefault: 'subscribed' })];
    await tenant.put(`/v2/contacts/${id}/topics/${topics[0]}`, { state: 'subscribed' });
    await tenant.put(`/v2/contacts/${id}/topics/${topics[1]}`, { state: 'unsubscribed' });
    await tenant.done(await tenant.delete(`/v2/contacts/${id}`));
    for (const topicId of topics) expect(await countsOf(tenant, topicId)).toEqual([0, 0, 0]);
    const [rows] = await t.db.rows(sql<{ states: number; entries: number; clear: number }>`
      select (select count(*) from contact_topic where tenant_id = ${tenant.tenantId}) as states,
        (select count(*) from consent_log where tenant_id = ${tenant.tenantId}) as entries,
        (select count(*) from topic_refusal r where tenant_id = ${tenant.tenantId} and r::text like '%ada@%') as clear`);
    expect(rows).toEqual({ states: 0, entries: 0, clear: 0 });
    const [again] = (await makeContacts(tenant, 'ada@example.com')) as [string];
    expect(await statesOf(tenant, again)).toEqual({ news: 'unsubscribed', tips: 'unsubscribed' });
    expect(await countsOf(tenant, topics[0] as string)).toEqual([0, 0, 0]);
    expect(await countsOf(tenant, topics[1] as string)).toEqual([0, 1, 0]);
    expect(await leftTopics(tenant, again)).toEqual([]);
    // What is said from then on counts, also for the next erasure.
    await tenant.put(`/v2/contacts/${again}/topics/${topics[1]}`, { state: 'subscribed' });
    await tenant.done(await tenant.delete(`/v2/contacts/${again}`));
    const [third] = (await makeContacts(tenant, 'ada@example.com')) as [string];
    expect(await statesOf(tenant, third)).toEqual({ news: 'unsubscribed', tips: 'subscribed' });
  });

  it('leaves refusals that come back with the address in the order in which they were said', async () => {
    const tenant = await t.tenant();
    const [id] = (await makeContacts(tenant, 'eve@example.com')) as [string];
    const topics: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) topics.push(await makeTopic(tenant, name, { byDefault: 'subscribed' }));
    const order = [2, 0, 3, 1].map((i) => topics[i] as string);
    for (const topicId of order) await tenant.put(`/v2/contacts/${id}/topics/${topicId}`, { state: 'unsubscribed' });
    await tenant.done(await tenant.delete(`/v2/contacts/${id}`));
    const [again] = (await makeContacts(tenant, 'eve@example.com')) as [string];
    const { data } = (await tenant.get(`/v2/contacts/${again}/consent-log`)).body;
    expect(data.map(({ topicId }: { topicId: string }) => topicId).reverse()).toEqual(order);
  });
});

async function linesOf(tenantId: number | undefined): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of consentLines(t.db, tenantId)) lines.push(line);
  return lines;
}

it('is exported as lines with its evidence, of one tenant or of all', async () => {
  const tenant = await t.tenant();
  const topicId = await makeTopic(tenant, 'News, "daily"');
  const [id] = (await makeContacts(tenant, 'evidence@example.com')) as [string];
  await tenant.put(`/v2/contacts/${id}/topics/${topicId}`, { state: 'subscribed', text: '=Yes, please' });
  const lines = await linesOf(tenant.tenantId);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^tenant_id,email,contact_id,topic_key,/);
  const at = '[\\d:T.-]+Z';
  const said = `"News, ""daily""",subscribed,${at},api,,"'=Yes, please",${at},\\d+\r\n`;
  expect(lines[1]).toMatch(new RegExp(`^${tenant.tenantId},evidence@example.com,${id},news_daily,${said}$`));
  const all = await linesOf(undefined);
  expect(all).toContain(lines[1]);
  expect(all.length).toBeGreaterThan(2);
});
