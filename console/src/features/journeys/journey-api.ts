// What the page of a journey asks of the API.
import type { Answer, Client } from '@rapport/client';
import type { BodyValue, DataValue } from '@rapport/contract';
import * as contract from '@rapport/contract';
import type { SimulationBody } from './simulate/plan.ts';

export type JourneyRecord = DataValue<typeof contract.getJourney>;
export type JourneyPatch = BodyValue<typeof contract.updateJourney>;
export type JourneyFault = DataValue<typeof contract.checkJourney>['faults'][number];
export type JourneyReach = DataValue<typeof contract.reachJourney>;
export type JourneyStats = DataValue<typeof contract.getJourneyStats>;
export type Comparison = DataValue<typeof contract.compareJourney>;
export type JsonObject = Record<string, unknown>;

export const fetchJourney = (api: Client, id: string): Promise<Answer<JourneyRecord>> =>
  api.call(contract.getJourney, { params: { id } });

export const patchJourney = (api: Client, id: string, body: JourneyPatch, ifMatch: string | null) =>
  api.call(contract.updateJourney, { params: { id }, body, ifMatch });

export const checkDefinition = async (
  api: Client,
  body: { type: JourneyRecord['type']; definition: JsonObject },
  signal: AbortSignal,
) => (await api.call(contract.checkJourney, { body, signal, idempotencyKey: false })).data.faults;

export const compareDefinition = async (api: Client, id: string, definition: JsonObject) =>
  (await api.call(contract.compareJourney, { params: { id }, body: { definition }, idempotencyKey: false })).data;

export const fetchReach = async (api: Client, id: string, signal: AbortSignal) =>
  (await api.call(contract.reachJourney, { params: { id }, signal })).data;

export const fetchStats = async (api: Client, id: string, signal: AbortSignal) =>
  (await api.call(contract.getJourneyStats, { params: { id }, signal })).data;

export const simulate = async (api: Client, id: string, body: SimulationBody) =>
  (await api.call(contract.simulateJourney, { params: { id }, body, idempotencyKey: false })).data;

export const activate = (api: Client, id: string) => api.call(contract.activateJourney, { params: { id } });
export const deactivate = (api: Client, id: string) => api.call(contract.deactivateJourney, { params: { id } });
export const pause = (api: Client, id: string) => api.call(contract.pauseJourney, { params: { id } });
export const resume = (api: Client, id: string) => api.call(contract.resumeJourney, { params: { id } });

export const fetchContact = async (api: Client, id: string, signal: AbortSignal) =>
  (await api.call(contract.getContact, { params: { id }, signal })).data;

/** Some contacts, for a simulation that needs to know who takes part. */
export async function someContacts(api: Client, many: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of api.rows(contract.listContacts, { query: { pageSize: Math.min(many, 200) } }))
    if (ids.push(id) >= many) break;
  return ids;
}

export const fetchPreview = async (api: Client, id: string, query: { contactId: string; at: string }) =>
  (await api.call(contract.previewSavedEmail, { params: { id }, query })).data;

export const searchEventNames = async (api: Client, search: string, signal: AbortSignal) =>
  (await api.page(contract.listEventNames, { query: { search, pageSize: 20 }, signal })).rows.map(
    ({ eventName }) => eventName,
  );

export const searchProperties = async (api: Client, search: string, signal: AbortSignal) =>
  (await api.page(contract.listProperties, { query: { of: 'contact', search, pageSize: 20 }, signal })).rows.map(
    ({ key }) => key,
  );
