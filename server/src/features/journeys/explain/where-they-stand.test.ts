import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { enrolmentsOf } from '../../../../test/enrolments.js';
import { sendEvents } from '../../../../test/events.js';
import { explanationsOf, of, ordered, said, wait } from '../../../../test/journeys/explain.js';
import { makeActive, makeJourney } from '../../../../test/journeys.js';
import { newContactId } from '../../../lib/ids.js';

const t = useApp({ work: true });

let tenant: TenantClient;
let ada: string;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
  ada = await contact('ada@x.io');
});
const life = async (id: string, what: string) => {
  const { status, text } = await tenant.post(`/v2/journeys/${id}/${what}`);
  if (status !== 200) throw new Error(text);
};

const { contact, explain, until, order } = explanationsOf(
  () => tenant,
  () => ada,
);

describe('an explanation of where a contact stands', () => {
  const paid = {
    event: { eventName: 'paid', where: { eventProperty: 'order', is: { entry: 'order' } } },
    next: 'thanks',
  };
  const definitionOf = async () => {
    const [hello, thanks] = [await makeEmail(tenant), await makeEmail(tenant)];
    return {
      entry: { event: { eventName: 'ordered' } },
      goal: { filter: { property: 'vip', is: true } },
      exitWhen: { property: 'gone', is: true },
      steps: [
        { id: 'hello', type: 'sendEmail', emailId: hello },
        {
          id: 'pay',
          type: 'waitUntil',
          branches: [paid, { filter: { property: 'free', is: true }, next: 'out' }],
          timeout: 'P1D',
          onTimeout: null,
        },
        { id: 'thanks', type: 'sendEmail', emailId: thanks, next: null },
        { id: 'out', type: 'exit', reason: 'free' },
      ],
    };
  };
  it('calls steps what people call them', async () => {
    const { steps, ...definition } = await definitionOf();
    const named = steps.map((step) => ({ ...step, name: `  The step ${step.id}` }));
    const id = await makeActive(tenant, { definition: { ...definition, steps: named } });
    await sendEvents(tenant, [{ email: 'ada@x.io', eventName: 'ordered', eventProperties: { order: 1 } }]);
    const told = await until(id, (one) => of(one, 'waiting').length > 0);
    expect(said(told, 'waiting')[0]?.[1]).toMatch(/^At the step “The step pay”, waiting until /);
    expect(told.messages).toMatchObject([
      { stepId: 'hello', stepName: 'The step hello' },
      { stepId: 'thanks', stepName: 'The step thanks', reason: 'They are at the step “The step pay”.' },
    ]);
    const [enrolment] = await enrolmentsOf(tenant, id);
    expect(enrolment).toMatchObject({ stepId: 'pay', stepName: 'The step pay' });
    const one = await tenant.get(`/v2/journeys/${id}/enrolments/${enrolment?.enrolmentId}`);
    expect(one.body.data).toMatchObject({ stepName: 'The step pay' });
    expect(one.body.data.timeline[1]).toMatchObject({ what: 'step', stepId: 'hello', stepName: 'The step hello' });
    const ofContact = await tenant.get(`/v2/contacts/${ada}/journeys`);
    expect(ofContact.body.data[0]).toMatchObject({ journeyId: id, stepName: 'The step pay' });
    for (const figures of ['stats', 'funnel'])
      expect((await tenant.get(`/v2/journeys/${id}/${figures}`)).body.data.steps[1]).toMatchObject({
        stepId: 'pay',
        name: 'The step pay',
      });
    const why = await tenant.get(`/v2/why?contactId=${ada}&journeyId=${id}`);
    expect(why.text).toContain(', which the step “The step hello” sends, ');
  });

  const enter = async () => {
    const definition = await definitionOf();
    const id = await makeActive(tenant, { definition });
    await sendEvents(tenant, [{ email: 'ada@x.io', eventName: 'ordered', eventProperties: { order: 1 } }]);
    await until(id, (told) => of(told, 'waiting').length > 0);
    return id;
  };

  it('names what it waits for, each with what it comes to, and its emails', async () => {
    const id = await enter();
    await sendEvents(tenant, [{ email: 'ada@x.io', eventName: 'paid', eventProperties: { order: 2 } }]);
    const told = await until(id, (one) => one.messages[0]?.state === 'sent' && of(one, 'entry').length === 1);
    expect(told.entered).toBe(true);
    expect(told.reasons.map(({ what, holds }) => [what, holds])).toEqual([
      ['journey', true],
      ['entry', true],
      ['reentry', false],
      ['entered', true],
      ['waiting', false],
      ['event', false],
      ['filter', false],
      ['goal', false],
      ['exitWhen', false],
    ]);
    expect(said(told, 'event')).toEqual([[false, 'They did “paid”, but the conditions on it were not met.']]);
    expect(said(told, 'filter')).toEqual([[false, 'The contact’s property “free” is true.']]);
    expect(said(told, 'entered')).toEqual([[true, 'They did “ordered”.']]);
    expect(told.messages.map(({ stepId, state, reason }) => [stepId, state, reason])).toEqual([
      ['hello', 'sent', 'outbox'],
      ['thanks', 'notReached', 'They are at the step “pay”.'],
    ]);
  });

  it.each([
    [
      'event',
      () => sendEvents(tenant, [{ email: 'ada@x.io', eventName: 'paid', eventProperties: { order: 1 } }]),
      'They completed the journey.',
    ],
    ['filter', () => contact('ada@x.io', { free: true }), 'They exited at the step “out”: free.'],
    [
      'exitWhen',
      () => contact('ada@x.io', { gone: true }),
      'They exited at the step “pay”: they met the exit condition. The contact’s property “gone” is true.',
    ],
  ])('is right: once the %s that did not hold does, the contact goes on', async (_, remove, ended) => {
    const id = await enter();
    await remove();
    const told = await until(id, (one) => of(one, 'ended').length > 0);
    expect(said(told, 'ended')).toEqual([[true, ended]]);
  });

  it('tells when the goal was reached', async () => {
    const id = await enter();
    await contact('ada@x.io', { vip: true });
    const told = await until(id, (one) => of(one, 'goal')[0]?.at !== null);
    expect(said(told, 'goal')).toEqual([[true, 'They reached the goal. The contact’s property “vip” is true.']]);
  });

  it('tells why an email did not leave', async () => {
    const steps = [
      { id: 'one', type: 'sendEmail', emailId: await makeEmail(tenant) },
      { id: 'two', type: 'sendEmail', emailId: await makeEmail(tenant) },
    ];
    const id = await makeActive(tenant, {
      definition: { entry: { api: true }, cap: { messages: 1, per: 'P1D' }, steps: [...steps, wait] },
    });
    await tenant.post(`/v2/journeys/${id}/enroll`, { contactIds: [ada] });
    const told = await until(id, ({ messages }) => messages[0]?.state === 'sent');
    expect(told.messages.map(({ stepId, state, reason }) => [stepId, state, reason])).toEqual([
      ['one', 'sent', 'outbox'],
      ['two', 'skipped', 'capped'],
    ]);
  });
});

describe('the stated reason', () => {
  it('changes the outcome once it is removed, and until then the contact stays out', async () => {
    const beginning = fc.constantFrom('draft', 'active', 'paused', 'stopped');
    const event = fc.constantFrom('none', 'before', 'poor', 'right');
    await fc.assert(
      fc.asyncProperty(beginning, event, async (begin, came) => {
        ada = await contact(`${newContactId()}@x.io`);
        const { email } = (await tenant.get(`/v2/contacts/${ada}`)).body.data;
        if (came === 'before') await order(20, email);
        const id = await makeJourney(tenant, { definition: { entry: ordered, steps: [wait] } });
        if (begin !== 'draft') await life(id, 'activate');
        if (begin === 'paused') await life(id, 'pause');
        if (begin === 'stopped') await life(id, 'deactivate');
        if (came === 'poor') await order(5, email);
        if (came === 'right') await order(20, email);
        for (let removed = 0; ; removed++) {
          const told = await explain(id);
          const refused = told.reasons.find(({ holds }) => !holds && !told.entered);
          if (!refused) break;
          expect(removed).toBeLessThan(4);
          if (refused.what === 'journey') {
            const answer = await tenant.post(`/v2/journeys/${id}/${begin === 'paused' ? 'resume' : 'activate'}`);
            // It may still be stopping: then nothing is removed yet.
            if (answer.status !== 200) removed--;
          } else {
            expect([refused.what, told.entered]).toEqual(['entry', false]);
            await order(20, email);
          }
        }
        const { entered } = await until(id, (told) => told.entered);
        expect(entered).toBe(true);
      }),
      { numRuns: 16 },
    );
  });
});
