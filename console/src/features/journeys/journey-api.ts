// The API calls of the journey page.
import type { Answer, Client } from '@rapport/client';
import type { BodyValue, DataValue } from '@rapport/contract';
import * as contract from '@rapport/contract';
import type { SimulationBody } from './simulate/plan.ts';

export type JourneyRecord = DataValue<typeof contract.getJourney>;
type JourneyPatch = BodyValue<typeof contract.updateJourney>;
export type JourneyFault = DataValue<typeof contract.checkJourney>['faults'][number];
export type SendingWarning = DataValue<typeof contract.checkJourney>['warnings'][number];
export type JourneyReach = DataValue<typeof contract.reachJourney>;
export type JourneyStats = DataValue<typeof contract.getJourneyStats>;
export type Comparison = DataValue<typeof contract.compareJourney>;
export type JsonObject = Record<string, unknown>;

export const fetchJourney = (api: Client, id: string): Promise<Answer<JourneyRecord>> =>
  api.call(contract.getJourney, { params: { id } });

export const patchJourney = (api: Client, id: string, body: JourneyPatch, ifMatch: string | null) =>
  api.call(contract.updateJourney, { params: { id }, body, ifMatch });

export const simulate = async (api: Client, id: string, body: SimulationBody) =>
  (await api.call(contract.simulateJourney, { params: { id }, body, idempotencyKey: false })).data;

export const activate = (api: Client, id: string) => api.call(contract.activateJourney, { params: { id } });
export const deactivate = (api: Client, id: string) => api.call(contract.deactivateJourney, { params: { id } });
export const pause = (api: Client, id: string) => api.call(contract.pauseJourney, { params: { id } });
export const resume = (api: Client, id: string) => api.call(contract.resumeJourney, { params: { id } });

/** Some contacts, for a simulation that needs participants. */
export async function someContacts(api: Client, many: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of api.rows(contract.listContacts, { query: { pageSize: Math.min(many, 200) } }))
    if (ids.push(id) >= many) break;
  return ids;
}
