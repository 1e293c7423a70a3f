// Webhook steps against a real receiver, and subscribers that are told what happens in a journey.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import {
  enrolmentsOf,
  hasEnded,
  startJourney,
  timelineOf,
  until,
  untilEnrolment,
} from '../../../../test/enrolments.js';
import { makeContact, sendEvents } from '../../../../test/events.js';
import { useReceiver } from '../../../../test/receiver.js';
import { sql } from '../../../db/sql.js';

const t = useApp({ work: true, webhooks: { allowPrivate: true } });
const receiver = useReceiver();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});
beforeEach(() => receiver.reset());

let made = 0;
async function go(step: object, rest: object[] = [], eventProperties: object = { order: `a "quoted"\nname` }) {
  const eventName = `called_${++made}`;
  const email = `w${made}@x.io`;
  const contactId = await makeContact(tenant, email);
  const steps = [{ id: 'call', type: 'webhook', url: receiver.url, ...step }, ...rest];
  const journeyId = await startJourney(tenant, { entry: { event: { eventName } }, steps });
  await sendEvents(tenant, [{ eventName, email, eventProperties }]);
  return { journeyId, contactId, email };
}

describe('a webhook step', () => {
  it('calls with its body, and later steps see the answer', async () => {
    receiver.answer = (_request, response) => response.end('{"score": 7}');
    const look = { id: 'set', type: 'emitEvent', eventName: 'scored', properties: {} };
    const { journeyId, email } = await go({ body: '{"who": "{{email}}", "what": {{event.order | json}}}' }, [look]);
    const ended = await untilEnrolment(tenant, journeyId, hasEnded);
    expect(ended).toMatchObject({ state: 'completed' });
    expect(receiver.told).toEqual([{ who: email, what: `a "quoted"\nname` }]);
    const details = (await timelineOf(tenant, journeyId, ended.enrolmentId)).map(({ detail }) => detail);
    expect(details).toContain('Answered 200.');
  });

  it('sends its headers as they were given, and nothing breaks out of its body', async () => {
    const headers = {
      Authorization: 'Bearer a-secret-of-theirs',
      'X-Team': 'growth',
      'Content-Type': 'application/json',
    };
    const { journeyId } = await go({ headers, body: '{"what": "{{event.order}}", "is": "whole"}' });
    await untilEnrolment(tenant, journeyId, hasEnded);
    expect(receiver.told).toEqual([{ what: `a "quoted"\nname`, is: 'whole' }]);
    expect(receiver.received[0]?.headers).toMatchObject({
      ...{ authorization: headers.Authorization, 'x-team': 'growth', 'content-type': 'application/json' },
    });
  });

  it('without a body tells of the contact and the journey', async () => {
    const { journeyId, contactId, email } = await go({});
    const { enrolmentId } = await untilEnrolment(tenant, journeyId, hasEnded);
    expect(receiver.told).toEqual([
      {
        contact: { contactId, email, properties: {} },
        journey: { journeyId, enrolmentId, stepId: 'call' },
        event: { order: `a "quoted"\nname` },
      },
    ]);
  });

  it('whose body cannot be rendered goes where errors go, and makes no call', async () => {
    // That is unknown before the event is there.
    const body = '{% for i in (1..event.many) %}{{i}}{% endfor %}';
    const ways = ['good', 'bad'].map((reason) => ({ id: reason, type: 'exit', reason }));
    const { journeyId } = await go({ body, onError: 'bad' }, ways, { many: 100_000_000 });
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ reason: 'bad' });
    expect(receiver.received).toEqual([]);
  });

  it('that is refused for good goes where errors go', async () => {
    receiver.answer = (_request, response) => {
      response.statusCode = 410;
      response.end();
    };
    const { journeyId } = await go({ onError: 'bad' }, [
      { id: 'good', type: 'exit', reason: 'good' },
      { id: 'bad', type: 'exit', reason: 'bad' },
    ]);
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ reason: 'bad' });
  });

  it('is called no more once its journey was stopped', async () => {
    const { journeyId } = await goUnanswered({});
    await tenant.post(`/v2/journeys/${journeyId}/deactivate`);
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ reason: 'journeyStopped' });
    expect(await callsOf(journeyId)).toEqual(['dropped']);
  });

  it('is called no more once the contact has left', async () => {
    const { journeyId, contactId } = await goUnanswered({ exitWhen: { property: 'is_gone', is: true } });
    await tenant.done(await tenant.patch(`/v2/contacts/${contactId}`, { properties: { is_gone: true } }));
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ reason: 'exitWhen' });
    expect(await callsOf(journeyId)).toEqual(['dropped']);
  });
});

/** Its webhook was tried and is to be tried again. */
async function goUnanswered(rest: object) {
  receiver.answer = (_request, response) => {
    response.statusCode = 503;
    response.end();
  };
  const contactId = await makeContact(tenant, `u${++made}@x.io`);
  const steps = [{ id: 'call', type: 'webhook', url: receiver.url }];
  const journeyId = await startJourney(tenant, { entry: { api: true }, steps, ...rest });
  await tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [contactId] });
  await until(
    () => triesOf(journeyId),
    (tries) => tries > 0,
  );
  return { journeyId, contactId };
}

async function callsOf(journeyId: string): Promise<string[]> {
  return (await deliveriesOf(journeyId)).map(({ state }) => state);
}

async function triesOf(journeyId: string): Promise<number> {
  return (await deliveriesOf(journeyId))[0]?.attempts ?? 0;
}

async function deliveriesOf(journeyId: string) {
  const [enrolment] = await enrolmentsOf(tenant, journeyId);
  return t.db.rows(sql<{ state: string; attempts: number }>`
    select state, attempts from webhook_delivery
    where tenant_id = ${tenant.tenantId} and enrolment_id = ${enrolment?.enrolmentId ?? null}`);
}

describe('subscribers', () => {
  it('are told who entered, reached the goal and left, in that order', async () => {
    const own = await t.tenant();
    const events = ['journey.entered', 'journey.goal', 'journey.exited', 'journey.completed'];
    await own.post('/v2/webhooks', { url: receiver.url, events });
    const contactId = await makeContact(own, 's@x.io');
    const journeyId = await startJourney(own, {
      entry: { api: true },
      goal: { filter: { contact: 'email', is: 's@x.io' } },
      steps: [{ id: 'out', type: 'exit', reason: 'done' }],
    });
    await own.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [contactId] });
    await until(
      async () => receiver.told.length,
      (told) => told >= 3,
    );
    expect(receiver.told.map(({ type, data }) => [type, data.journeyId, data.contactId, data.reason])).toEqual([
      ['journey.entered', journeyId, contactId, undefined],
      ['journey.goal', journeyId, contactId, undefined],
      ['journey.exited', journeyId, contactId, 'done'],
    ]);
  });
});
