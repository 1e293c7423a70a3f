// A/B tests of broadcasts: a part tries two emails, the rest waits for the winner.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { inAnHour, later, makeSender, type Sender } from '../../../../test/broadcasts.js';
import { makeEmail } from '../../../../test/emails.js';
import { until } from '../../../../test/enrolments.js';
import { bytes, sql } from '../../../db/sql.js';
import { systemClock } from '../../../lib/clock.js';
import { Subjects } from '../../filter-language/index.js';
import { readDefinition } from '../definition/read.js';
import { retireVersions } from '../life/queries.js';
import { decideWinners } from '../work/winners/decide-winners.js';
import { definitionOf, longAgo } from './settings.js';

const t = useApp({ work: true });
const html = '<a href="https://shop.test/a">A</a> <a href="{{unsubscribe_url}}">No</a>';
let { tenant, listOf, create, read, move, ended } = {} as Sender;
let emailId: string;
let other: string;
beforeAll(async () => {
  ({ tenant, listOf, create, read, move, ended } = await makeSender(t));
  emailId = await makeEmail(tenant, { html });
  other = await makeEmail(tenant, { html });
});

interface Sent {
  messageId: string;
  emailId: string;
  contactId: string;
}

const messagesOf = async (id: string): Promise<Sent[]> =>
  (await tenant.get(`/v2/messages?journeyId=${id}&pageSize=200`)).body.data;
const count = (sent: readonly Sent[], email: string) => sent.filter((one) => one.emailId === email).length;

const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0' };

/** A person clicks in each of them, a minute after it was sent: what comes at once is taken for a machine. */
async function click(sent: readonly Sent[]): Promise<void> {
  const ids = sent.map(({ messageId }) => messageId);
  await t.db.run(sql`
    update message set sent_at = sent_at - interval '1 minute', queued_at = queued_at - interval '1 minute'
    where tenant_id = ${tenant.tenantId} and message_id = any(${ids}::uuid[])`);
  for (const id of ids) {
    const row = await t.db.row(sql<{ html: string }>`
      select html from outbox_message where message_id like ${`<${id}@%`}`);
    const [, link] = /"http:\/\/rapport\.test(\/t\/c\/[^"]+)"/.exec(row?.html ?? '') ?? [];
    await t.anonymous.get(link as string, person);
  }
  const clicked = sql<{ n: number }>`
    select count(first_clicked_at)::int as n from message
    where tenant_id = ${tenant.tenantId} and message_id = any(${ids}::uuid[])`;
  await until(
    () => t.db.row(clicked),
    (row) => row?.n === ids.length,
  );
}

/** What the chore does, now. */
const decide = () =>
  decideWinners(
    t.db.background,
    (json, type) => readDefinition(json, type, new Subjects([])),
    systemClock,
    new Map(),
    new AbortController().signal,
  );

/** The hours pass at once, for the winner and for those who wait for it. */
async function pass(id: string, hours: number): Promise<void> {
  await t.db.run(sql`
    update journey_run r set run_at = r.run_at - make_interval(hours => ${hours}) from journey j
    where j.tenant_id = ${tenant.tenantId} and j.journey_id = ${bytes(id)} and r.tenant_id = j.tenant_id
      and r.journey_no = j.journey_no`);
}

async function release(id: string): Promise<void> {
  await t.db.run(sql`
    update enrolment e set wait_until = now(), due_at = now() from journey j
    where j.tenant_id = ${tenant.tenantId} and j.journey_id = ${bytes(id)} and e.tenant_id = j.tenant_id
      and e.journey_no = j.journey_no and e.state = 'active' and e.step_id = 'hold'`);
}

const winnerOf = async (id: string) => {
  const { splits } = (await tenant.get(`/v2/journeys/${id}/stats`)).body.data;
  return splits.find(({ stepId }: { stepId: string }) => stepId === 'ab').winner;
};

describe('a broadcast with an A/B test', () => {
  it('tries both emails on a part, holds the rest, and gives it the one that more people clicked', async () => {
    const people = 60;
    const [staticListId] = await listOf(people);
    const abTest = { emailId: other, percent: 50, hours: 3 };
    const id = await create({ emailId, audience: { staticListId }, abTest });
    expect(await read(id)).toMatchObject({ emailId, abTest });
    expect((await move(id, 'reach')).body.data).toMatchObject({ audience: people, getsMail: people });
    await move(id, 'send');
    const waits = sql<{ n: number }>`
      select count(*)::int as n from enrolment e join journey j using (tenant_id, journey_no)
      where j.tenant_id = ${tenant.tenantId} and j.journey_id = ${bytes(id)} and e.step_id = 'hold' and e.state = 'active'`;
    const first = await until(
      async () => ({ sent: await messagesOf(id), held: (await t.db.row(waits))?.n ?? 0, shown: await read(id) }),
      ({ sent, held, shown }) => sent.length + held === people && shown.progress.sent === sent.length,
    );
    const [a, b] = [count(first.sent, emailId), count(first.sent, other)];
    // By chance, but never all on one side.
    expect(Math.min(a, b, first.held)).toBeGreaterThan(0);
    expect(first.shown).toMatchObject({ status: 'sending', progress: { waiting: first.held } });
    await click(first.sent.filter((one) => one.emailId === other));
    // Scheduled long ago, begun just now.
    await t.db.run(sql`
      update journey_version v set activated_at = v.activated_at - interval '100 hours' from journey j
      where j.tenant_id = ${tenant.tenantId} and j.journey_id = ${bytes(id)} and v.tenant_id = j.tenant_id
        and v.journey_no = j.journey_no`);
    await decide();
    expect(await winnerOf(id)).toBeNull();
    await pass(id, 4);
    await decide();
    expect(await winnerOf(id)).toBe('B');
    await release(id);
    expect((await ended(id)).progress).toMatchObject({ sent: people, waiting: 0 });
    const all = await messagesOf(id);
    expect(new Set(all.map(({ contactId }) => contactId)).size).toBe(people);
    expect([count(all, emailId), count(all, other)]).toEqual([a, people - a]);
  });

  it('has a winner also if everybody takes part, and it was sent before that was known', async () => {
    const people = 20;
    const [staticListId] = await listOf(people);
    const id = await create({
      emailId,
      audience: { staticListId },
      abTest: { emailId: other, percent: 100, hours: 1 },
    });
    await move(id, 'send');
    expect((await ended(id)).progress.sent).toBe(people);
    await click((await messagesOf(id)).filter((one) => one.emailId === other));
    await retireVersions(t.db.background, 1000);
    await decide();
    expect(await winnerOf(id)).toBeNull();
    await pass(id, 1);
    await decide();
    expect(await winnerOf(id)).toBe('B');
    await retireVersions(t.db.background, 1000);
    const live = sql<{ n: number }>`
      select count(*)::int as n from journey_version join journey using (tenant_id, journey_no)
      where tenant_id = ${tenant.tenantId} and journey_id = ${bytes(id)} and is_live`;
    expect((await t.db.row(live))?.n).toBe(0);
  });

  it('keeps its other email, is found by it, and can be left without a test until it begins', async () => {
    const [staticListId] = await listOf(1);
    const abTest = { emailId: other, percent: 100, hours: 1 };
    const id = await create({ emailId, audience: { staticListId }, abTest, when: later() });
    await move(id, 'send');
    await decide();
    expect(await winnerOf(id)).toBeNull();
    const found = await tenant.get(`/v2/broadcasts?emailId=${other}`);
    expect(found.body.data.map((row: { broadcastId: string }) => row.broadcastId)).toContain(id);
    expect((await tenant.delete(`/v2/emails/${other}`)).body.errors[0].message).toContain('the broadcast "News"');
    expect((await tenant.patch(`/v2/broadcasts/${id}`, { abTest: null })).body.data.abTest).toBeNull();
    await move(id, 'cancel');
  });

  it.each([
    [{ emailId: '0'.repeat(24), percent: 20, hours: 4 }, 'abTest.emailId'],
    [{ emailId: 'same', percent: 20, hours: 4 }, 'abTest.emailId'],
    [{ emailId: 'other', percent: 1, hours: 4 }, 'abTest.percent'],
    [{ emailId: 'other', percent: 101, hours: 4 }, 'abTest.percent'],
    [{ emailId: 'other', percent: 20, hours: 0 }, 'abTest.hours'],
    [{ emailId: 'other', percent: 20, hours: 169 }, 'abTest.hours'],
    [{ emailId: 'other', percent: 20 }, 'abTest.hours'],
  ])('is refused as %j, which names %s', async (test, field) => {
    const named = { ...test, emailId: { same: emailId, other }[test.emailId] ?? test.emailId };
    const answer = await tenant.post('/v2/broadcasts', { name: 'Wrong', emailId, abTest: named });
    expect([answer.status, answer.body.errors[0].detail]).toEqual([400, field]);
  });

  it('is not for local times, whichever is chosen last', async () => {
    const local = { kind: 'localTime', at: '2099-01-01T09:00' };
    const abTest = { emailId: other, percent: 20, hours: 4 };
    const id = await create({ emailId, abTest });
    expect((await tenant.patch(`/v2/broadcasts/${id}`, { when: local })).body.errors[0].detail).toBe('abTest');
    const timed = await create({ when: local });
    expect((await tenant.patch(`/v2/broadcasts/${timed}`, { abTest })).body.errors[0].detail).toBe('abTest');
  });
});

describe('the journey of an A/B test', () => {
  const settings = {
    ...{ emailId: 'a', audience: { staticListId: 'l' }, when: { kind: 'at' as const, at: inAnHour() } },
    abTest: { emailId: 'b', percent: 20, hours: 4 },
  };
  const steps = (percent: number) =>
    (definitionOf({ ...settings, abTest: { ...settings.abTest, percent } }, longAgo) as { steps: { id: string }[] })
      .steps;

  it('holds the rest a little longer than it takes until there is a winner in any case', () => {
    const [part, hold, ab] = steps(20);
    expect(part).toMatchObject({
      arms: [
        { percent: 20, next: 'ab' },
        { percent: 80, next: 'hold' },
      ],
    });
    expect(hold).toMatchObject({ for: 'PT245M' });
    // Three times this is the four hours.
    expect(ab).toMatchObject({ winner: { by: 'clicked', after: 'PT80M', minimum: 1 } });
  });

  it('has no one to hold if everybody takes part', () => {
    expect(steps(100).map(({ id }) => id)).toEqual(['ab', 'send', 'send-b']);
  });
});
