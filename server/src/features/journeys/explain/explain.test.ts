import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { sendEvents } from '../../../../test/events.js';
import { makeActive, makeJourney } from '../../../../test/journeys.js';
import { eventually } from '../../../../test/messages.js';
import { newAssetId, newContactId } from '../../../lib/ids.js';

const t = useApp({ work: true });

type Json = Record<string, unknown>;
interface Reason {
  at: string | null;
  what: string;
  holds: boolean;
  detail: string;
}
interface Explained {
  entered: boolean;
  reasons: Reason[];
  messages: { stepId: string; emailId: string; state: string; reason: string | null }[];
}

let tenant: TenantClient;
let ada: string;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
  ada = await contact('ada@x.io');
});

async function contact(email: string, properties: Json = {}): Promise<string> {
  const done = await tenant.done(await tenant.post('/v2/contacts/batch', { contacts: [{ email, properties }] }));
  return done.data.results[0].contactId;
}
const explain = async (id: string, contactId = ada): Promise<Explained> => {
  const { status, body, text } = await tenant.get(`/v2/journeys/${id}/explain?contactId=${contactId}`);
  if (status !== 200) throw new Error(text);
  return body.data;
};
const until = (id: string, isRight: (told: Explained) => boolean) => eventually(() => explain(id), isRight);
const of = ({ reasons }: Explained, what: string) => reasons.filter((one) => one.what === what);
const said = (told: Explained, what: string) => of(told, what).map(({ holds, detail }) => [holds, detail]);
const order = (total: number, email = 'ada@x.io') =>
  sendEvents(tenant, [{ email, eventName: 'ordered', eventProperties: { total } }]);
const life = async (id: string, what: string) => {
  const { status, text } = await tenant.post(`/v2/journeys/${id}/${what}`);
  if (status !== 200) throw new Error(text);
};

const wait = { id: 'wait', type: 'delay', for: 'P1D' };
const ordered = { event: { eventName: 'ordered', where: { all: [{ eventProperty: 'total', gt: 10 }] } } };

describe('an explanation of why a contact did not enter', () => {
  it('names the state of the journey, and what never came', async () => {
    const id = await makeJourney(tenant, { definition: { entry: ordered, steps: [wait] } });
    const told = await explain(id);
    expect(told).toEqual({
      entered: false,
      reasons: [
        {
          at: null,
          what: 'journey',
          holds: false,
          detail: 'The journey is a draft: no one enters until it is activated.',
        },
        { at: null, what: 'entry', holds: false, detail: 'The event "ordered" never came.' },
      ],
      messages: [],
    });
  });

  it('is true of events with an old date that came late', async () => {
    const id = await makeActive(tenant, { definition: { entry: ordered, steps: [wait] } });
    const late = (total: number) =>
      sendEvents(tenant, [
        { email: 'ada@x.io', eventName: 'ordered', eventDate: '2026-01-01T00:00:00Z', eventProperties: { total } },
      ]);
    await late(5);
    const [refused] = of(await explain(id), 'entry');
    expect(refused).toMatchObject({ holds: false, detail: expect.stringContaining('where.all[0]') });
    await late(50);
    const told = await until(id, ({ entered }) => entered);
    expect(said(told, 'entry')).toEqual([[true, 'The event "ordered" came.']]);
  });

  it('is true of a draft without a definition', async () => {
    const id = (await tenant.post('/v2/journeys', { name: 'Empty', type: 'trigger' })).body.data.journeyId;
    expect(said(await explain(id), 'entry')).toEqual([
      [false, 'The journey is not complete: activate it to see what is missing.'],
    ]);
  });

  it('tells which condition of the event did not hold', async () => {
    const id = await makeActive(tenant, { definition: { entry: ordered, steps: [wait] } });
    await order(5);
    expect(said(await explain(id), 'entry')).toEqual([
      [
        false,
        'The event "ordered" came, but definition.entry.event.where.all[0] ({"gt":10,"eventProperty":"total"}) did not hold.',
      ],
    ]);
  });

  it('tells of lists: not joined, or joined before', async () => {
    const staticListId = (await tenant.post('/v2/lists', { name: 'L' })).body.data.staticListId;
    const id = await makeActive(tenant, { definition: { entry: { joined: { staticListId } }, steps: [wait] } });
    expect(said(await explain(id), 'entry')).toEqual([[false, 'They are not in the list.']]);
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [ada] });
    const told = await until(id, ({ entered }) => entered);
    expect(said(told, 'entry')).toEqual([[true, 'They joined the list.']]);
    const later = await makeActive(tenant, { definition: { entry: { joined: { staticListId } }, steps: [wait] } });
    expect(said(await explain(later), 'entry')[0]?.[1]).toMatch(
      /^They joined the list before the journey was activated on /,
    );
  });

  it('tells of properties: never changed, or not so', async () => {
    const entry = { propertyChanged: { property: 'plan', to: 'pro' } };
    const id = await makeActive(tenant, { definition: { entry, steps: [wait] } });
    expect(said(await explain(id), 'entry')).toEqual([
      [false, 'The property "plan" has never changed since the contact was created.'],
    ]);
    await contact('ada@x.io', { plan: 'free' });
    expect(said(await explain(id), 'entry')).toEqual([[false, 'The property "plan" changed, but not to "pro".']]);
    await contact('ada@x.io', { plan: 'pro' });
    expect(said(await until(id, ({ entered }) => entered), 'entry')).toEqual([[true, 'The property "plan" changed.']]);
  });

  it('tells of dates: none, or when', async () => {
    const entry = { date: { property: 'trial_ends' } };
    const id = await makeActive(tenant, { definition: { entry, steps: [wait] } });
    expect(said(await explain(id), 'entry')).toEqual([[false, 'They have no date in "trial_ends".']]);
    await contact('ada@x.io', { trial_ends: '2040-05-01T10:00:00Z' });
    const told = await until(id, (one) => of(one, 'entry').length === 1);
    expect(of(told, 'entry')).toEqual([
      {
        at: '2040-05-01T10:00:00.000Z',
        what: 'entry',
        holds: false,
        detail: 'The date of "trial_ends" is not due yet.',
      },
    ]);
  });

  it('tells of audiences: members at the run and others', async () => {
    const staticListId = (await tenant.post('/v2/lists', { name: 'L' })).body.data.staticListId;
    const bob = await contact('bob@x.io');
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [bob] });
    const id = await makeActive(tenant, {
      type: 'batch',
      definition: { entry: { audience: { staticListId } }, steps: [wait] },
    });
    const told = await eventually(
      () => explain(id, bob),
      ({ entered }) => entered,
    );
    expect(said(told, 'entry')).toEqual([[true, 'They were in the audience when the journey ran.']]);
    expect(said(await explain(id), 'entry')).toEqual([[false, 'They are not in the audience; no run is scheduled.']]);
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [ada] });
    expect(said(await explain(id), 'entry')[0]?.[1]).toMatch(/^They joined the audience after the run on /);
  });

  it('refuses unknown contacts and journeys', async () => {
    const id = await makeJourney(tenant);
    for (const contactId of [newContactId(), 'nobody']) {
      const { status, body } = await tenant.get(`/v2/journeys/${id}/explain?contactId=${contactId}`);
      expect([status, body.errors[0].errorCode]).toEqual([400, 'BAS-E-002']);
    }
    expect((await tenant.get(`/v2/journeys/${newAssetId()}/explain?contactId=${ada}`)).status).toBe(404);
    expect((await tenant.get(`/v2/journeys/${id}/explain`)).status).toBe(400);
  });
});

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
    expect(said(told, 'event')).toEqual([[false, 'The event "paid" came, but its "where" did not hold.']]);
    expect(said(told, 'filter')).toEqual([[false, 'The contact\'s property "free" is true.']]);
    expect(said(told, 'entered')).toEqual([[true, 'The event "ordered" came.']]);
    expect(told.messages.map(({ stepId, state, reason }) => [stepId, state, reason])).toEqual([
      ['hello', 'sent', 'outbox'],
      ['thanks', 'notReached', 'They are at the step "pay".'],
    ]);
  });

  it.each([
    [
      'event',
      () => sendEvents(tenant, [{ email: 'ada@x.io', eventName: 'paid', eventProperties: { order: 1 } }]),
      'They completed the journey.',
    ],
    ['filter', () => contact('ada@x.io', { free: true }), 'They exited at the step "out": free.'],
    [
      'exitWhen',
      () => contact('ada@x.io', { gone: true }),
      'They exited at the step "pay": exitWhen. The contact\'s property "gone" is true.',
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
    expect(said(told, 'goal')).toEqual([[true, 'They reached the goal. The contact\'s property "vip" is true.']]);
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
