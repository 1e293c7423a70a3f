// Simulations of journeys that are created only for the simulation.
import type { TenantClient } from '../app.js';
import { makeJourney } from '../journeys.js';

export type Json = Record<string, unknown>;
export const api = { api: true };
export const told = (contact: { timeline: { what: string; stepId?: string }[] }) =>
  contact.timeline.map(({ what, stepId }) => (stepId ? `${what} ${stepId}` : what));
export const from = '2030-01-07T08:00:00.000Z';
export const at = (hours: number) => new Date(Date.parse(from) + hours * 3_600_000).toISOString();

export function simulationsOf(tenant: () => TenantClient) {
  async function contacts(...all: { email: string; properties?: Record<string, unknown> }[]): Promise<string[]> {
    const done = await tenant().done(await tenant().post('/v2/contacts/batch', { contacts: all }));
    return done.data.results.map((row: { contactId: string }) => row.contactId);
  }

  const makeList = async (name: string, of = tenant()): Promise<string> =>
    (await of.post('/v2/lists', { name })).body.data.staticListId;

  const simulate = async (definition: Json, body: Json = {}, type = 'trigger') => {
    const id = await makeJourney(tenant(), { type, definition });
    return tenant().post(`/v2/journeys/${id}/simulate`, body);
  };

  return { contacts, makeList, simulate };
}
