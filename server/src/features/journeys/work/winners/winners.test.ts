// Winners of splits, live: real messages that leave, and clicks on the links in them.

import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../../test/app.js';
import { enrolmentsOf, hasEnded, startJourney, timelineOf, until } from '../../../../../test/enrolments.js';
import { sendEvents } from '../../../../../test/events.js';
import { eventually, type Mailer, makeMailer } from '../../../../../test/messages.js';
import { bytes, sql } from '../../../../db/sql.js';
import { systemClock } from '../../../../lib/clock.js';
import { Subjects } from '../../../filter-language/index.js';
import { readDefinition } from '../../definition/read.js';
import { decideWinners, type Rests } from './decide-winners.js';

const t = useApp({ work: true });
let mailer: Mailer;
const html =
  '<a href="https://shop.test/a">A</a><a href="https://shop.test/b">B</a><a href="{{unsubscribe_url}}">No</a>';
beforeAll(async () => {
  mailer = await makeMailer(t, { html });
});

const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0' };
let made = 0;

/** What the chore does, now; with one memory of its own, as a process has. */
function decide(rests: Rests = new Map()): Promise<void> {
  const read = (json: unknown, type: 'batch' | 'trigger') => readDefinition(json, type, new Subjects([]));
  return decideWinners(t.db.background, read, systemClock, rests, new AbortController().signal);
}

interface Trial {
  journeyId: string;
  eventName: string;
  definition: Record<string, unknown>;
}

/** A journey that sends one of two emails. */
async function startTrial(winner: object, rest: Record<string, unknown> = {}, first: object[] = []): Promise<Trial> {
  const eventName = `trial_${++made}`;
  const arms = ['A', 'B'].map((name) => ({ name, percent: 50, next: name }));
  const mails = ['A', 'B'].map((id) => ({ id, type: 'sendEmail', emailId: mailer.emailId, next: 'stay' }));
  const definition = {
    entry: { event: { eventName } },
    steps: [...first, { id: 'half', type: 'split', arms, winner }, ...mails, { id: 'stay', type: 'delay', for: 'P1D' }],
    ...rest,
  };
  return { journeyId: await startJourney(mailer, definition), eventName, definition };
}

interface Sent {
  contactId: string;
  messageId: string;
  arm: string;
}

/** So many contacts come in; answers their messages once they have left, long enough ago for a person to have read them. */
async function send({ journeyId, eventName }: Trial, count: number, perContact = 1): Promise<Sent[]> {
  const emails = Array.from({ length: count }, () => `w${++made}@x.io`);
  for (const email of emails) await mailer.contact(email);
  await sendEvents(
    mailer,
    emails.map((email) => ({ eventName, email })),
  );
  const ofJourney = () =>
    t.db.rows(sql<{ messageId: string; contactId: string; arm: string; sentAt: string | null }>`
      select m.message_id as "messageId", m.contact_id as "contactId", m.step_id as arm, m.sent_at as "sentAt" from message m
      join contact c on c.tenant_id = m.tenant_id and c.contact_id = m.contact_id
      where m.tenant_id = ${mailer.tenantId} and m.journey_id = ${bytes(journeyId)} and c.email = any(${emails}::text[])`);
  const left = await until(ofJourney, (all) => all.length === count * perContact && all.every(({ sentAt }) => sentAt));
  await t.db.run(sql`
    update message set sent_at = sent_at - interval '1 minute', queued_at = queued_at - interval '1 minute'
    where tenant_id = ${mailer.tenantId} and message_id = any(${left.map(({ messageId }) => messageId)}::uuid[])`);
  return left;
}

async function clickLinks({ messageId }: Sent, isMachine = false): Promise<void> {
  const row = await t.db.row(sql<{ html: string }>`
    select html from outbox_message where message_id like ${`<${messageId}@%`}`);
  const links = [...(row?.html ?? '').matchAll(/"http:\/\/rapport\.test(\/t\/c\/[^"]+)"/g)].map(
    ([, path]) => path as string,
  );
  expect(links).toHaveLength(2);
  // A scanner follows every link at once.
  for (const link of isMachine ? links : links.slice(0, 1)) await t.anonymous.get(link, person);
  const clicks = () =>
    t.db.row(sql<{ people: number; machines: number }>`
      select count(*) filter (where not is_machine)::int as people, count(*) filter (where is_machine)::int as machines
      from message_event where tenant_id = ${mailer.tenantId} and message_id = ${messageId} and what = 'clicked'`);
  await eventually(clicks, (n) => (isMachine ? n?.machines === 2 : n?.people === 1));
}

const ofArm = (sent: readonly Sent[], arm: string) => sent.filter((one) => one.arm === arm);

/** Enough that either arm has two: by chance one in a thousand times it takes more. */
async function sendToBoth(trial: Trial, perContact = 1): Promise<Sent[]> {
  const sent: Sent[] = [];
  while (ofArm(sent, 'A').length < 2 || ofArm(sent, 'B').length < 2) sent.push(...(await send(trial, 6, perContact)));
  return sent;
}

async function winnerIn({ journeyId }: Trial, version = 1): Promise<string | undefined> {
  const row = await t.db.row(sql<{ arm: string }>`
    select arm from split_winner w join journey j using (tenant_id, journey_no)
    where j.tenant_id = ${mailer.tenantId} and j.journey_id = ${bytes(journeyId)} and w.version = ${version}`);
  return row?.arm;
}

async function armsOf({ journeyId }: Trial, sent: readonly Sent[]): Promise<string[]> {
  const rows = await enrolmentsOf(mailer, journeyId);
  const own = rows.filter(({ contactId }) => sent.some((one) => one.contactId === contactId));
  const timelines = await Promise.all(own.map(({ enrolmentId }) => timelineOf(mailer, journeyId, enrolmentId)));
  return timelines.map((timeline) => timeline.find(({ what }) => what === 'split')?.detail ?? '');
}

const age = ({ journeyId }: Trial, hours: number, version = 1) =>
  t.db.run(sql`
    update journey_version v set activated_at = v.activated_at - make_interval(hours => ${hours}) from journey j
    where j.tenant_id = ${mailer.tenantId} and j.journey_id = ${bytes(journeyId)} and v.tenant_id = j.tenant_id
      and v.journey_no = j.journey_no and v.version = ${version}`);

describe('the winner of a split, live', () => {
  it('is the arm in which more people clicked, whatever machines did; everybody takes it from then on', async () => {
    const trial = await startTrial({ by: 'clicked', after: 'PT1H', minimum: 2 });
    const sent = await sendToBoth(trial);
    for (const one of ofArm(sent, 'A')) await clickLinks(one, true);
    await clickLinks(ofArm(sent, 'B')[0] as Sent);
    await decide();
    expect(await winnerIn(trial)).toBeUndefined();
    // Some messages an arm say nothing yet: it takes three times as long, and that is noted.
    await age(trial, 1);
    await decide();
    expect(await winnerIn(trial)).toBeUndefined();
    await age(trial, 2);
    await decide();
    expect(await winnerIn(trial)).toBe('B');
    const later = await send(trial, 6);
    expect(new Set(later.map(({ arm }) => arm))).toEqual(new Set(['B']));
    const told = 'Arm “B”, which won, though the difference was not significant.';
    expect(new Set(await armsOf(trial, later))).toEqual(new Set([told]));
    const { body } = await mailer.get(`/v2/journeys/${trial.journeyId}/stats`);
    expect(body.data.splits[0]).toMatchObject({ winner: 'B', decision: { isSignificant: false, against: 'A' } });
    expect(body.data.splits[0].decision.interval[0]).toBeLessThan(0);
    // Those who were there before stay where they are.
    expect(ofArm(sent, 'A').length).toBeGreaterThan(0);
    expect((await armsOf(trial, sent)).every((detail) => detail.includes('bucket'))).toBe(true);
  });

  it('is taken as soon as it is surely better, and the report says how sure that was', async () => {
    const trial = await startTrial({ by: 'clicked', after: 'PT1H', minimum: 2 });
    // Fifty more an arm who have got their mail: of arm B half of them clicked.
    await t.db.run(sql`
      with own as (
        insert into enrolment (tenant_id, enrolment_id, journey_no, version, state, entered_at, arms)
        select ${mailer.tenantId}, gen_random_uuid(), journey_no, 1, 'completed', now(), jsonb_build_object('half', a.arm)
        from journey, unnest(array['A', 'B']) a (arm), generate_series(1, 50)
        where tenant_id = ${mailer.tenantId} and journey_id = ${bytes(trial.journeyId)}
        returning enrolment_id, arms ->> 'half' as arm
      )
      insert into message (tenant_id, message_id, kind, state, email_id, address, journey_id, enrolment_id, step_id, queued_at, due_at, sent_at,
        first_clicked_at)
      select ${mailer.tenantId}, gen_random_uuid(), 'journey', 'sent', ${bytes(mailer.emailId)}, 'x@x.io', ${bytes(trial.journeyId)},
        enrolment_id, arm, now(), now(), now(), case when arm = 'B' and row_number() over (partition by arm) <= 25 then now() end
      from own`);
    await age(trial, 1);
    await decide();
    expect(await winnerIn(trial)).toBe('B');
    const { body } = await mailer.get(`/v2/journeys/${trial.journeyId}/stats`);
    const { winner, decision } = body.data.splits[0];
    expect([winner, decision]).toMatchObject(['B', { isSignificant: true, against: 'A', difference: 0.5 }]);
    expect(decision.interval[0]).toBeGreaterThan(0.3);
    expect(decision.decidedAt).toMatch(/^\d{4}-.*Z$/);
    const [later] = await send(trial, 1);
    expect(await armsOf(trial, [later as Sent])).toEqual(['Arm “B”, which won.']);
  });

  it('is found by the worker itself, without anybody asking', async () => {
    const trial = await startTrial({ by: 'clicked', after: 'PT1S', minimum: 2 });
    const sent = await sendToBoth(trial);
    expect(
      await until(
        () => winnerIn(trial),
        (arm) => arm !== undefined,
      ),
    ).toBe('A');
    expect(sent.length).toBeGreaterThan(0);
  });

  it('waits until every arm has sent enough; what was sent before the split counts for none', async () => {
    const first = { id: 'hello', type: 'sendEmail', emailId: mailer.emailId };
    const trial = await startTrial({ by: 'clicked', after: 'PT1S', minimum: 1000 }, {}, [first]);
    const sent = await sendToBoth(trial, 2);
    await age(trial, 1);
    const enough = Math.min(ofArm(sent, 'A').length, ofArm(sent, 'B').length);
    const minimumIs = (minimum: number) =>
      t.db.run(sql`
        update journey_version v set definition = jsonb_set(v.definition, '{steps,1,winner,minimum}', to_jsonb(${minimum}::int)) from journey j
        where j.tenant_id = ${mailer.tenantId} and j.journey_id = ${bytes(trial.journeyId)} and v.tenant_id = j.tenant_id
          and v.journey_no = j.journey_no`);
    await age(trial, 10);
    await minimumIs(enough + 1);
    await decide();
    expect(await winnerIn(trial)).toBeUndefined();
    await minimumIs(enough);
    await decide();
    expect(await winnerIn(trial)).toBeDefined();
  });

  it('by goal is the arm in which more reached it, without those who are held out', async () => {
    const goal = { filter: { property: 'bought', is: true } };
    const trial = await startTrial({ by: 'goal', after: 'PT1H', minimum: 2 }, { goal });
    const sent = await sendToBoth(trial);
    for (const { contactId } of ofArm(sent, 'B').slice(0, 1))
      await mailer.done(await mailer.patch(`/v1/contacts/${contactId}`, { properties: { bought: true } }));
    await until(
      () => enrolmentsOf(mailer, trial.journeyId),
      (all) => all.some(({ goalAt }) => goalAt !== null),
    );
    // Held out, the others of arm A would all have reached it.
    await t.db.run(sql`
      insert into enrolment (tenant_id, enrolment_id, journey_no, version, state, entered_at, goal_at, is_holdout, arms)
      select ${mailer.tenantId}, gen_random_uuid(), journey_no, 1, 'completed', now(), now(), true, '{"half": "A"}'
      from journey, generate_series(1, 50) where tenant_id = ${mailer.tenantId} and journey_id = ${bytes(trial.journeyId)}`);
    await age(trial, 3);
    await decide();
    expect(await winnerIn(trial)).toBe('B');
  });

  it('of arms that did equally well is the first', async () => {
    const trial = await startTrial({ by: 'clicked', after: 'PT1H', minimum: 2 });
    await sendToBoth(trial);
    await age(trial, 3);
    await decide();
    expect(await winnerIn(trial)).toBe('A');
  });

  it('is found for each version from its own activation; those on an earlier one take that one’s', async () => {
    const winner = { by: 'clicked', after: 'PT1H', minimum: 2 };
    const wait = {
      id: 'wait',
      type: 'waitUntil',
      branches: [{ event: { eventName: 'on' }, next: 'half' }],
      timeout: 'P1D',
      onTimeout: null,
    };
    const first = {
      id: 'which',
      type: 'branch',
      cases: [{ filter: { property: 'late', is: true }, next: 'wait' }],
      otherwise: 'half',
    };
    const trial = await startTrial(winner, {}, [first, wait]);
    const sent = await sendToBoth(trial);
    await clickLinks(ofArm(sent, 'B')[0] as Sent);
    const email = `w${++made}@x.io`;
    const contactId = await mailer.contact(email, { late: true });
    await sendEvents(mailer, [{ eventName: trial.eventName, email }]);
    await until(
      () => enrolmentsOf(mailer, trial.journeyId, `&contactId=${contactId}`),
      ([one]) => one?.stepId === 'wait' && one.dueAt !== null,
    );
    await age(trial, 3);
    await decide();
    expect(await winnerIn(trial)).toBe('B');
    const { body } = await mailer.get(`/v2/journeys/${trial.journeyId}`);
    const steps = [{ id: 'end', type: 'exit' }];
    const edited = await mailer.patch(
      `/v2/journeys/${trial.journeyId}`,
      { definition: { ...trial.definition, steps }, inFlight: 'finish' },
      { 'if-match': String(body.data.revision) },
    );
    expect(edited.status, edited.text).toBe(200);
    await sendEvents(mailer, [{ eventName: 'on', email }]);
    const [there] = await until(
      () => enrolmentsOf(mailer, trial.journeyId, `&contactId=${contactId}`),
      ([one]) => one?.stepId === 'stay' || (one !== undefined && hasEnded(one)),
    );
    const timeline = await timelineOf(mailer, trial.journeyId, there?.enrolmentId ?? '');
    expect(timeline.find(({ what }) => what === 'split')?.detail).toMatch(/^Arm “B”, which won/);
  });
});

describe('looking for a winner', () => {
  it('rests after one in vain, and forgets splits of journeys that are over', async () => {
    const trial = await startTrial({ by: 'clicked', after: 'PT1H', minimum: 1000 });
    const rests: Rests = new Map();
    await decide(rests);
    expect(rests.size).toBe(0);
    await age(trial, 100);
    await decide(rests);
    const [rest = 0] = [...rests.values()];
    expect(Math.round((rest - 100 * 3_600_000) / 1000)).toBeGreaterThanOrEqual(50);
    await decide(rests);
    expect([...rests.values()]).toEqual([rest]);
    await mailer.post(`/v2/journeys/${trial.journeyId}/deactivate`);
    await decide(rests);
    expect(rests.size).toBe(0);
  });
});
