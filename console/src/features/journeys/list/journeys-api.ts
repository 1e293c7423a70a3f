// The API calls of the journey list.
import type { Client } from '@rapport/client';
import {
  type BodyValue,
  createJourney,
  type DataValue,
  deleteJourney,
  type getJourneyRollup,
  type listJourneys,
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

export const queryOf = ({ search, status, type, tag, folderId }: JourneyFilters) => ({
  ...{ search, folderId },
  status: status && [status],
  type: type && [type],
  tag: tag === undefined ? undefined : [tag],
});

export const figuresById = ({ journeys }: DataValue<typeof getJourneyRollup>): Map<string, JourneyFigures> =>
  new Map(journeys.map((figures) => [figures.journeyId, figures]));

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
