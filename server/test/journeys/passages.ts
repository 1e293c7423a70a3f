// A contact that goes through the steps of its own journey.
import type { TenantClient } from '../app.js';
import { startJourney } from '../enrolments.js';
import { makeContact, sendEvents } from '../events.js';

export let made = 0;
export const whats = (timeline: { what: string }[]) => timeline.map(({ what }) => what);

export function passagesOf(tenant: () => TenantClient) {
  /** A contact that enters a journey with these steps through its own event. */
  async function go(steps: object[], rest: Record<string, unknown> = {}, properties = {}) {
    const eventName = `began_${++made}`;
    const email = `c${made}@x.io`;
    const contactId = await makeContact(tenant(), email);
    if (Object.keys(properties).length > 0)
      await tenant().done(await tenant().patch(`/v1/contacts/${contactId}`, { properties }));
    const journeyId = await startJourney(tenant(), { entry: { event: { eventName } }, steps, ...rest });
    const send = (name = eventName, sent: object = { order: 7 }) =>
      sendEvents(tenant(), [{ eventName: name, email, eventProperties: sent }]);
    await send();
    return { journeyId, contactId, email, send };
  }

  return { go };
}
