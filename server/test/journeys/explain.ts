// Explanations of where a contact stands in a journey.
import type { TenantClient } from '../app.js';
import { sendEvents } from '../events.js';
import { eventually } from '../messages.js';

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
export const of = ({ reasons }: Explained, what: string) => reasons.filter((one) => one.what === what);
export const said = (told: Explained, what: string) => of(told, what).map(({ holds, detail }) => [holds, detail]);

export const wait = { id: 'wait', type: 'delay', for: 'P1D' };
export const ordered = { event: { eventName: 'ordered', where: { all: [{ eventProperty: 'total', gt: 10 }] } } };

export function explanationsOf(tenant: () => TenantClient, ada: () => string) {
  async function contact(email: string, properties: Json = {}): Promise<string> {
    const done = await tenant().done(await tenant().post('/v2/contacts/batch', { contacts: [{ email, properties }] }));
    return done.data.results[0].contactId;
  }

  const explain = async (id: string, contactId = ada()): Promise<Explained> => {
    const { status, body, text } = await tenant().get(`/v2/journeys/${id}/explain?contactId=${contactId}`);
    if (status !== 200) throw new Error(text);
    return body.data;
  };
  const until = (id: string, isRight: (told: Explained) => boolean) => eventually(() => explain(id), isRight);
  const order = (total: number, email = 'ada@x.io') =>
    sendEvents(tenant(), [{ email, eventName: 'ordered', eventProperties: { total } }]);

  return { contact, explain, until, order };
}
