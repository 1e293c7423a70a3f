// What the list of journeys asks of the API, and does.
import type { Client } from '@rapport/client';
import {
  type BodyValue,
  createJourney,
  type DataValue,
  deleteJourney,
  getJourneyRollup,
  listJourneys,
} from '@rapport/contract';
import { t } from '../../../texts/journeys.ts';
import { fetchJourney, type JourneyRecord } from '../journey-api.ts';

export type JourneyRow = DataValue<typeof listJourneys>;
export type JourneyFigures = DataValue<typeof getJourneyRollup>['journeys'][number];

export interface JourneyFilters {
  search: string | undefined;
  status: JourneyRow['status'] | undefined;
  type: JourneyRow['type'] | undefined;
  tag: string | undefined;
  folderId: string | undefined;
}

const queryOf = ({ search, status, type, tag, folderId }: JourneyFilters) => ({
  ...{ search, folderId },
  status: status && [status],
  type: type && [type],
  tag: tag === undefined ? undefined : [tag],
});

export const fetchPage = (
  api: Client,
  filters: JourneyFilters,
  more: { sort: 'name' | undefined; pageNumber: number },
  signal: AbortSignal,
) => api.page(listJourneys, { query: { ...queryOf(filters), ...more }, signal });

/** By the id of the journey. */
export async function fetchFigures(
  api: Client,
  filters: JourneyFilters,
  signal: AbortSignal,
): Promise<Map<string, JourneyFigures>> {
  const { data } = await api.call(getJourneyRollup, { query: queryOf(filters), signal });
  return new Map(data.journeys.map((figures) => [figures.journeyId, figures]));
}

export const makeJourney = async (api: Client, body: BodyValue<typeof createJourney>): Promise<JourneyRecord> =>
  (await api.call(createJourney, { body })).data;

export const removeJourney = (api: Client, id: string) => api.call(deleteJourney, { params: { id } });

/** A draft with the same steps, rules, tags and folder. */
export async function duplicateJourney(api: Client, id: string): Promise<JourneyRecord> {
  const { data } = await fetchJourney(api, id);
  return makeJourney(api, {
    name: t.copyOf(data.name).slice(0, 255),
    type: data.type,
    tags: data.tags,
    ...(data.directoryId === null ? {} : { folderId: data.directoryId }),
    ...(data.definition === null ? {} : { definition: data.definition }),
  });
}
