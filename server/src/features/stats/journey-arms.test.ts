import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, useApp } from '../../../test/app.js';
import { startJourney } from '../../../test/enrolments.js';
import { html, journeyStatsOf, type Traveller } from '../../../test/journey-stats.js';
import { eventually, type Mailer, makeMailer } from '../../../test/messages.js';
import { useOldQueue, usePost } from '../../../test/statistics.js';
import { bytes, sql } from '../../db/sql.js';
import { compareRates } from '../../lib/compare-rates.js';

const post = usePost({ behindMs: 60_000 });
const t = useApp(post.options);
useOldQueue(t);
let mailer: Mailer;
beforeAll(async () => {
  mailer = await makeMailer(t, { html });
});

const { passing, enroll, change, read, expectStats, follow } = journeyStatsOf(post, t, () => mailer);

describe('the holdout', () => {
  it('is counted separately, gets no mail, and is compared with the treated', async () => {
    const journeyId = await startJourney(mailer, { ...passing(), holdout: 50 });
    const all = await enroll(journeyId, 30, Number.NaN);
    const messages = () => mailer.get(`/v2/messages?journeyId=${journeyId}&pageSize=200`);
    const { body } = (await eventually(
      messages,
      ({ body }) =>
        body.data.length === 30 &&
        body.data.every(({ state }: { state: string }) => state !== 'queued' && state !== 'sending'),
    )) as Reply;
    const skipped = body.data.filter(({ reason }: { reason: string | null }) => reason === 'holdout');
    const isHeld = ({ contactId }: Traveller) =>
      skipped.some((one: { contactId: string }) => one.contactId === contactId);
    const [held, treated] = [all.filter(isHeld), all.filter((one) => !isHeld(one))];
    expect(held.length).toBeGreaterThan(0);
    expect(treated.length).toBeGreaterThan(0);
    for (const one of [...treated.slice(0, 3), ...held.slice(0, 1)]) await change(one, { bought: true });
    const goals = { treated: Math.min(3, treated.length), held: 1 };
    const shown = await expectStats(journeyId, { reachedGoal: goals.treated + 1, sent: treated.length });
    const groups = {
      treated: { entered: treated.length, reachedGoal: goals.treated },
      held: { entered: held.length, reachedGoal: goals.held },
    };
    expect(shown.holdout).toEqual({
      percent: 50,
      treated: { ...groups.treated, goalRate: goals.treated / treated.length },
      held: { ...groups.held, goalRate: goals.held / held.length },
      ...compareRates({ part: goals.treated, whole: treated.length }, { part: goals.held, whole: held.length }),
      method: 'newcombe',
    });
    expect(shown).toMatchObject({ entered: 30, delivered: treated.length, failed: 0 });
  });

  it('says nothing about the difference while one of the two is empty', async () => {
    const journeyId = await startJourney(mailer, { ...passing(), holdout: 1 });
    expect((await read(journeyId)).holdout).toEqual({
      ...{ percent: 1, difference: null, interval: null, lift: null, method: 'newcombe' },
      treated: { entered: 0, reachedGoal: 0, goalRate: 0 },
      held: { entered: 0, reachedGoal: 0, goalRate: 0 },
    });
  });
});

describe('the arms of a split', () => {
  const arms = ['A: one', 'B'];
  const half = (more: object = {}) => [
    { ...more, id: 'half', type: 'split', arms: arms.map((name, i) => ({ name, percent: 50, next: `mail${i}` })) },
    { id: 'mail0', type: 'sendEmail', emailId: mailer.emailId, next: 'wait' },
    { id: 'mail1', type: 'sendEmail', emailId: mailer.emailId, next: 'wait' },
  ];

  it('are shown side by side: who took them, what came of their mail, and who then reached the goal', async () => {
    const journeyId = await startJourney(mailer, passing(half()));
    const all = await enroll(journeyId, 12);
    const { body } = await mailer.get(`/v2/messages?journeyId=${journeyId}&pageSize=200`);
    const of = (step: string) =>
      all.filter(({ contactId }) =>
        body.data.some(
          (one: { contactId: string; stepId: string }) => one.contactId === contactId && one.stepId === step,
        ),
      );
    const [first, second] = [of('mail0'), of('mail1')];
    expect(first.length + second.length).toBe(12);
    const [reader] = [...first, ...second] as [Traveller];
    await follow(reader, 'open');
    await change(reader, { bought: true });
    const shown = await expectStats(journeyId, { opened: 1, reachedGoal: 1 });
    const isFirst = first.length > 0 ? 1 : 0;
    const arm = (name: string, own: Traveller[], read: number) => ({
      ...{ name, entered: own.length, reachedGoal: read, goalRate: read === 0 ? 0 : 1 / own.length },
      ...{ sent: own.length, delivered: own.length, uniqueOpened: read },
    });
    expect(shown.splits).toMatchObject([
      { stepId: 'half', winner: null, arms: [arm('A: one', first, isFirst), arm('B', second, 1 - isFirst)] },
    ]);
  });

  it('show the one that won', async () => {
    const journeyId = await startJourney(mailer, passing(half({ winner: { by: 'goal', after: 'P1D', minimum: 1 } })));
    await t.db.run(sql`
      insert into split_winner (tenant_id, journey_no, version, step_id, arm)
      select tenant_id, journey_no, 1, 'half', 'B' from journey
      where tenant_id = ${mailer.tenantId} and journey_id = ${bytes(journeyId)}`);
    await enroll(journeyId, 2);
    expect((await read(journeyId)).splits).toMatchObject([
      {
        winner: 'B',
        arms: [
          { name: 'A: one', entered: 0, sent: 0 },
          { name: 'B', entered: 2, sent: 2 },
        ],
      },
    ]);
  });
});
