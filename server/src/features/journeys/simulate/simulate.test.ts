import { beforeEach, describe, expect, it } from 'vitest';
import { useApp, type TenantClient } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { sendEvents } from '../../../../test/events.js';
import { makeActive, makeJourney } from '../../../../test/journeys.js';
import { sql } from '../../../db/sql.js';
import { newAssetId, newContactId } from '../../../lib/ids.js';

// At work, so that writes are applied: a journey that is not active moves nobody.
const t = useApp({ work: true });

let tenant: TenantClient;
let emailId: string;
let ada: string;
let bob: string;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
  emailId = await makeEmail(tenant);
  [ada, bob] = (await contacts({ email: 'ada@x.io', properties: { plan: 'pro' } }, { email: 'bob@x.io' })) as [string, string];
});

async function contacts(...all: { email: string; properties?: Record<string, unknown> }[]): Promise<string[]> {
  const done = await tenant.done(await tenant.post('/v2/contacts/batch', { contacts: all }));
  return done.data.results.map((row: { contactId: string }) => row.contactId);
}

type Json = Record<string, unknown>;
const api = { api: true };
const simulate = async (definition: Json, body: Json = {}, type = 'trigger') => {
  const id = await makeJourney(tenant, { type, definition });
  return tenant.post(`/v2/journeys/${id}/simulate`, body);
};
const told = (contact: { timeline: { what: string; stepId?: string }[] }) =>
  contact.timeline.map(({ what, stepId }) => (stepId ? `${what} ${stepId}` : what));
const from = '2030-01-07T08:00:00.000Z';
const at = (hours: number) => new Date(Date.parse(from) + hours * 3_600_000).toISOString();

describe('a simulation', () => {
  it('takes contacts through the steps on a virtual clock', async () => {
    const { status, body } = await simulate(
      {
        entry: api,
        steps: [
          { id: 'hello', type: 'sendEmail', emailId },
          { id: 'wait', type: 'delay', for: 'P2D' },
          { id: 'pro', type: 'branch', cases: [{ filter: { property: 'plan', is: 'pro' }, next: 'thanks' }], otherwise: null },
          { id: 'thanks', type: 'exit', reason: 'pro' },
        ],
      },
      { contactIds: [ada, bob], from },
    );
    expect(status).toBe(200);
    expect(body.data.contacts.map(({ contactId, entered, endedAs }: Json) => ({ contactId, entered, endedAs }))).toEqual([
      { contactId: ada, entered: true, endedAs: 'exited' },
      { contactId: bob, entered: true, endedAs: 'completed' },
    ]);
    expect(body.data.contacts[0].timeline).toEqual([
      { at: at(0), what: 'entered', detail: 'Enters at the beginning.' },
      { at: at(0), what: 'step', stepId: 'hello' },
      { at: at(0), what: 'message', stepId: 'hello', detail: 'Queued.' },
      { at: at(0), what: 'step', stepId: 'wait' },
      { at: at(0), what: 'waiting', stepId: 'wait', detail: `Waits until ${at(48)}.` },
      { at: at(48), what: 'step', stepId: 'pro' },
      { at: at(48), what: 'branch', stepId: 'pro', detail: 'Case 1 of 1: The contact\'s property "plan" is "pro".' },
      { at: at(48), what: 'step', stepId: 'thanks' },
      { at: at(48), what: 'exited', stepId: 'thanks', detail: 'Reason: pro.' },
    ]);
    expect(body.data.steps).toEqual([
      { stepId: 'hello', entered: 2, left: 2 },
      { stepId: 'wait', entered: 2, left: 2 },
      { stepId: 'pro', entered: 2, left: 2 },
      { stepId: 'thanks', entered: 1, left: 1 },
    ]);
  });

  it('sees what it changes itself: properties, events and lists, of each contact alone', async () => {
    const list = (await tenant.post('/v2/lists', { name: 'VIP' })).body.data;
    const staticListId = list.listId ?? list.id;
    const { body } = await simulate(
      {
        entry: api,
        steps: [
          { id: 'set', type: 'updateProperty', property: 'plan', value: 'gold' },
          { id: 'say', type: 'emitEvent', eventName: 'told', properties: { level: 3 } },
          { id: 'join', type: 'addToList', staticListId },
          {
            id: 'all',
            type: 'branch',
            cases: [
              {
                filter: {
                  all: [
                    { property: 'plan', is: 'gold' },
                    { event: 'told', count: { atLeast: 1 } },
                    { staticListId },
                  ],
                },
                next: 'leave',
              },
            ],
            otherwise: null,
          },
          { id: 'leave', type: 'removeFromList', staticListId },
          { id: 'gone', type: 'branch', cases: [{ filter: { staticListId }, next: null }], otherwise: 'out' },
          { id: 'out', type: 'exit' },
        ],
      },
      { contactIds: [ada], from },
    );
    expect(told(body.data.contacts[0])).toContain('exited out');
    const { data } = (await tenant.get(`/v2/contacts/${ada}`)).body;
    expect(data.properties.plan).toBe('pro');
  });
});
