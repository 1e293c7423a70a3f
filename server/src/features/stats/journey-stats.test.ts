// GET /v2/journeys/{id}/stats, from journeys that really ran and mail that was really sent.
import { countNames } from '@rapport/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeEmail } from '../../../test/emails.js';
import { enrolmentsOf, type ShownEnrolment, startJourney } from '../../../test/enrolments.js';
import { html, journeyStatsOf, type Traveller } from '../../../test/journey-stats.js';
import { type Mailer, makeMailer } from '../../../test/messages.js';
import { useOldQueue, usePost } from '../../../test/statistics.js';

const post = usePost({ behindMs: 60_000 });
const t = useApp(post.options);
useOldQueue(t);
let mailer: Mailer;
beforeAll(async () => {
  mailer = await makeMailer(t, { html });
});

const { passing, enroll, change, read, expectStats, follow } = journeyStatsOf(post, t, () => mailer);

describe('the statistics of a journey', () => {
  it('say who entered, came to the end, left before it, and is on the way, as a whole and step by step', async () => {
    const journeyId = await startJourney(mailer, passing());
    const [pro, gone] = (await enroll(journeyId, 3)) as [Traveller, Traveller];
    await change(pro, { plan: 'pro', bought: true });
    await change(gone, { plan: 'gone' });
    const shown = await expectStats(journeyId, { completed: 1, exited: 1 });
    expect(shown).toMatchObject({ journeyId, name: 'A journey', entered: 3, inProgress: 1, reachedGoal: 1 });
    expect(shown.steps).toMatchObject([
      { stepId: 'mail', type: 'sendEmail', entered: 3, left: 3, inProgress: 0, sent: 3, delivered: 3 },
      { stepId: 'wait', type: 'waitUntil', entered: 3, left: 2, inProgress: 1 },
      { stepId: 'out', type: 'exit', entered: 1, left: 1, inProgress: 0 },
    ]);
    expect(Object.keys(shown.steps[1])).toEqual(['stepId', 'type', 'entered', 'left', 'inProgress']);
    expect(shown).toMatchObject({ sent: 3, delivered: 3, rates: { deliveryRate: 1 }, splits: [], holdout: null });
  });

  it('hold for any window, to the millisecond, except who is on the way now', async () => {
    const journeyId = await startJourney(mailer, passing());
    const all = [...(await enroll(journeyId, 2)), ...(await enroll(journeyId, 2))] as [Traveller, Traveller, Traveller];
    await change(all[0], { plan: 'pro' });
    await expectStats(journeyId, { completed: 1 });
    await change(all[1], { plan: 'gone' });
    await change(all[2], { plan: 'pro', bought: true });
    await expectStats(journeyId, { completed: 2, exited: 1, reachedGoal: 1 });
    const enrolments = await enrolmentsOf(mailer, journeyId);
    const moments = [...new Set(enrolments.flatMap(({ enteredAt, endedAt, goalAt }) => [enteredAt, endedAt, goalAt]))];
    for (const moment of moments.filter((one): one is string => one !== null)) {
      const [before, after] = [-1, 1].map((ms) => new Date(Date.parse(moment) + ms).toISOString());
      for (const [startTime, endTime] of [
        [undefined, moment],
        [undefined, before],
        [moment, undefined],
        [after, undefined],
        [moment, moment],
      ]) {
        const isIn = (at: string | null) =>
          at !== null && (startTime === undefined || at >= startTime) && (endTime === undefined || at <= endTime);
        const count = (at: (one: ShownEnrolment) => string | null) => enrolments.filter((one) => isIn(at(one))).length;
        const query = { ...(startTime ? { startTime } : {}), ...(endTime ? { endTime } : {}) };
        const { entered, completed, exited, inProgress, reachedGoal } = await read(journeyId, query);
        expect({ query, entered, completed, exited, inProgress, reachedGoal }).toEqual({
          query,
          entered: count(({ enteredAt }) => enteredAt),
          completed: count(({ state, endedAt }) => (state === 'completed' ? endedAt : null)),
          exited: count(({ state, endedAt }) => (state === 'exited' ? endedAt : null)),
          inProgress: 1,
          reachedGoal: count(({ goalAt }) => goalAt),
        });
      }
    }
    const nothing = await read(journeyId, { start_time: '2999-01-01', end_time: '1999-01-01' });
    expect(nothing).toMatchObject({ entered: 0, completed: 0, sent: 0, inProgress: 1 });
    expect(nothing.steps).toMatchObject([{ sent: 0 }, { stepId: 'wait', entered: 0, left: 0, inProgress: 1 }, {}]);
  });

  it('have each email that a step sends once, and each step by itself', async () => {
    const other = await makeEmail(mailer, { html });
    const journeyId = await startJourney(
      mailer,
      passing([
        { id: 'one', type: 'sendEmail', emailId: mailer.emailId },
        { id: 'two', type: 'sendEmail', emailId: other },
        { id: 'three', type: 'sendEmail', emailId: mailer.emailId },
      ]),
    );
    const [reader] = (await enroll(journeyId, 2, 6)) as [Traveller];
    await follow(reader, 'open');
    const shown = await expectStats(journeyId, { opened: 1 });
    const named = async (id: string) => (await mailer.get(`/v2/emails/${id}`)).body.data.name;
    expect(shown.emails).toMatchObject([
      { emailId: mailer.emailId, name: await named(mailer.emailId), sent: 4 },
      { emailId: other, name: await named(other), sent: 2 },
    ]);
    expect(shown.steps).toMatchObject([{ sent: 2 }, { sent: 2 }, { sent: 2 }, {}, {}]);
    for (const name of countNames) {
      const sum = (rows: Record<string, number>[]) => rows.reduce((all, row) => all + (row[name] ?? 0), 0);
      expect([name, sum(shown.emails), sum(shown.steps)]).toEqual([name, shown[name], shown[name]]);
    }
  });

  it('keep steps and emails of earlier versions while they have figures', async () => {
    const old = await makeEmail(mailer, { html });
    const first = passing([
      { id: 'old', type: 'sendEmail', emailId: old },
      {
        id: 'idle',
        type: 'branch',
        cases: [{ filter: { property: 'plan', is: 'never' }, next: 'dust' }],
        next: 'wait',
      },
      { id: 'dust', type: 'delay', for: 'P1D', next: 'wait' },
    ]);
    const journeyId = await startJourney(mailer, first);
    await enroll(journeyId, 1);
    const { revision } = (await mailer.get(`/v2/journeys/${journeyId}`)).body.data;
    const patch = { definition: passing(), inFlight: 'finish' };
    const edited = await mailer.patch(`/v2/journeys/${journeyId}`, patch, { 'if-match': `"${revision}"` });
    expect(edited.status).toBe(200);
    await enroll(journeyId, 2);
    await mailer.post(`/v2/journeys/${journeyId}/deactivate`);
    await expectStats(journeyId, { exited: 3 });
    const { name } = (await mailer.get(`/v2/emails/${old}`)).body.data;
    expect((await mailer.delete(`/v2/emails/${old}`)).status).toBe(200);
    const shown = await read(journeyId);
    const ids = (rows: { stepId: string }[]) => rows.map(({ stepId }) => stepId);
    // No contact ever reached `dust`.
    expect(ids(shown.steps)).toEqual(['mail', 'wait', 'out', 'old', 'idle']);
    expect(shown.steps).toMatchObject([{ sent: 2 }, { entered: 3, left: 3 }, {}, { sent: 1 }, { entered: 1 }]);
    expect(shown.emails).toMatchObject([
      { emailId: mailer.emailId, sent: 2 },
      { emailId: old, name, sent: 1 },
    ]);
  });

  it('count those who leave when the journey is deactivated as exited, and stay when contacts are erased', async () => {
    const journeyId = await startJourney(mailer, passing());
    const [erased] = (await enroll(journeyId, 2)) as [Traveller];
    await follow(erased, 'click');
    await expectStats(journeyId, { clicked: 1 });
    await mailer.done(await mailer.delete(`/v2/contacts/${erased.contactId}`));
    await expectStats(journeyId, { exited: 1, inProgress: 1 });
    await mailer.post(`/v2/journeys/${journeyId}/deactivate`);
    const shown = await expectStats(journeyId, { exited: 2 });
    expect(shown).toMatchObject({ entered: 2, completed: 0, inProgress: 0, sent: 2, clicked: 1, uniqueClicked: 1 });
    expect(shown.steps[1]).toMatchObject({ stepId: 'wait', entered: 2, left: 2, inProgress: 0 });
  });

  it('are all zero for a draft, with or without a definition', async () => {
    const draft = async (definition?: object): Promise<string> =>
      (await mailer.post('/v2/journeys', { name: 'A draft', type: 'trigger', definition })).body.data.journeyId;
    const bare = await read(await draft());
    expect(bare).toMatchObject({
      name: 'A draft',
      entered: 0,
      sent: 0,
      emails: [],
      steps: [],
      splits: [],
      holdout: null,
    });
    const planned = await read(await draft(passing()));
    expect(planned.steps).toMatchObject([
      { stepId: 'mail', entered: 0, sent: 0 },
      { stepId: 'wait' },
      { stepId: 'out' },
    ]);
    expect(planned.emails).toMatchObject([{ emailId: mailer.emailId, sent: 0, rates: { openRate: 0 } }]);
    expect((await read(await draft({ steps: 'none', holdout: 'x' }))).steps).toEqual([]);
    const steps = [1, { id: 'odd', type: 'sendEmail', emailId: 'abc' }, { id: 'odd', type: 'split', arms: [{}, null] }];
    const odd = await read(await draft({ steps, holdout: 99.5 }));
    expect(odd).toMatchObject({ emails: [], steps: [{ stepId: 'odd', type: 'sendEmail', sent: 0 }], holdout: null });
  });
});

describe('a journey that does not exist', () => {
  it.each(['a'.repeat(24), 'no-id', 'stats'])('is not found: %s', async (id) => {
    const { status, body } = await mailer.get(`/v2/journeys/${id}/stats`);
    expect([status, body.errors[0].errorCode]).toEqual([404, 'NOT_FOUND']);
  });

  it('is not found after it was deleted', async () => {
    const journeyId = await startJourney(mailer, passing());
    await mailer.post(`/v2/journeys/${journeyId}/deactivate`);
    expect((await mailer.delete(`/v2/journeys/${journeyId}`)).status).toBe(200);
    expect((await mailer.get(`/v2/journeys/${journeyId}/stats`)).status).toBe(404);
  });
});
