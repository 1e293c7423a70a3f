// Contacts that enter journeys.
import type { TenantClient } from '../app.js';
import { enrolmentsOf, hasEnded, startJourney, untilEnrolment } from '../enrolments.js';
import { makeContact, sendEvents } from '../events.js';

export let made = 0;
export const out = [{ id: 'out', type: 'exit' }];
export const stay = [{ id: 'stay', type: 'delay', for: 'P1D' }];

export function entriesOf(tenant: () => TenantClient) {
  async function person(properties: Record<string, unknown> = {}) {
    const email = `p${++made}@x.io`;
    const contactId = await makeContact(tenant(), email);
    if (Object.keys(properties).length > 0) await change(contactId, properties);
    return { email, contactId };
  }
  const change = async (contactId: string, properties: Record<string, unknown>) =>
    tenant().done(await tenant().patch(`/v1/contacts/${contactId}`, { properties }));
  const makeList = async () =>
    (await tenant().post('/v2/lists', { name: `List ${++made}` })).body.data.staticListId as string;
  const addTo = (listId: string, ...contactIds: string[]) =>
    tenant().post(`/v2/lists/${listId}/members`, { contactIds });

  /** Everything announced until now has been processed: this later enrolment has. */
  async function settle(): Promise<void> {
    const eventName = `settled_${++made}`;
    const { email } = await person();
    const journeyId = await startJourney(tenant(), { entry: { event: { eventName } }, steps: out });
    await sendEvents(tenant(), [{ eventName, email }]);
    await untilEnrolment(tenant(), journeyId, hasEnded);
  }
  const whoIn = async (journeyId: string) =>
    (await enrolmentsOf(tenant(), journeyId)).map(({ contactId }) => contactId).sort();

  return { person, change, makeList, addTo, settle, whoIn };
}
