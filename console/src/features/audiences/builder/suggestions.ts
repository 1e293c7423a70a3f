// Suggestions from the tenant's own data: properties, values and events, while typing.
import { useDebouncedValue } from '@mantine/hooks';
import {
  type DataValue,
  listEventNames,
  listEventProperties,
  listProperties,
  listPropertyValues,
  type PropertyOwner,
} from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dataOf, pageOf, rowsOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { isScalar, type Scalar } from './model/filter-json.ts';
import type { ValueType } from './model/operators.ts';

export type Property = DataValue<typeof listProperties>;
export const pauseMs = 200;
/** Suggestions may be a few minutes old, so that the next ones appear at once. */
export const lasting = { staleTime: 3 * 60_000, placeholderData: keepPreviousData };

export function useProperties(of: PropertyOwner, search: string, enabled: boolean) {
  const api = useApi();
  const [asked] = useDebouncedValue(search.trim(), pauseMs);
  return useQuery({
    ...pageOf(api, listProperties, { query: { of, search: asked, pageSize: 50 } }),
    select: ({ rows }) => rows,
    enabled,
    ...lasting,
  });
}

/** Types of all properties that contacts have, by key. */
export function usePropertyTypes(enabled: boolean) {
  const api = useApi();
  return useQuery({
    ...rowsOf(api, listProperties, { query: { of: 'contact', pageSize: 200 } }),
    select: (all) => new Map(all.map(({ key, types }) => [key, types])),
    enabled,
  });
}

/** What is known about one property; undefined until it is loaded, or if no contact has it. */
export function useProperty(of: PropertyOwner, key: string): Property | undefined {
  const { data } = useProperties(of, key, key !== '');
  return data?.find((each) => each.key === key);
}

/** Values to choose from; how many records have each, if they were counted. */
export interface Suggestions {
  values: readonly { value: Scalar; count?: number }[];
  /** The records that were looked at. */
  sampled?: number;
}

export function usePropertyValues(of: PropertyOwner, key: string, search: string, enabled: boolean): Suggestions {
  const api = useApi();
  const [asked] = useDebouncedValue(search.trim(), pauseMs);
  const { data } = useQuery({
    ...dataOf(api, listPropertyValues, { params: { key }, query: { of, search: asked } }),
    enabled: enabled && key !== '',
    ...lasting,
  });
  return data ? { values: counted(data.values), sampled: data.sampled } : { values: [] };
}

interface Counted {
  value: Scalar;
  count: number;
}
const counted = (values: readonly { value: unknown; count: number }[]): Counted[] =>
  values.flatMap(({ value, count }) => (isScalar(value) ? [{ value, count }] : []));

/** What a sample says of the values of a property: how many are of which type, and those that could be meant by a name. */
export interface ValueFacts {
  sampled: number;
  types: readonly { type: ValueType; count: number; examples: readonly Scalar[] }[];
  /** The most frequent ones, and all that look like another. */
  values: readonly Counted[];
  lookAlikes: readonly (readonly Counted[])[];
}

export function useValueFacts(of: PropertyOwner, key: string, enabled: boolean): ValueFacts | undefined {
  const api = useApi();
  const { data } = useQuery({
    ...dataOf(api, listPropertyValues, { params: { key }, query: { of } }),
    select: ({ sampled, types, values, lookAlikes }) => ({
      sampled,
      types: types.map((each) => ({ ...each, examples: each.examples.filter(isScalar) })),
      values: counted(values),
      lookAlikes: lookAlikes.map(counted),
    }),
    enabled: enabled && key !== '',
    staleTime: lasting.staleTime,
  });
  return data;
}

export function useEventNames(search: string, enabled: boolean) {
  const api = useApi();
  const [asked] = useDebouncedValue(search.trim(), pauseMs);
  return useQuery({
    ...pageOf(api, listEventNames, { query: { search: asked, pageSize: 50 } }),
    select: ({ rows }) => rows,
    enabled,
    ...lasting,
  });
}

interface EventProperty {
  path: readonly string[];
  types: readonly ValueType[];
  examples: readonly Scalar[];
}

/** The properties of events with a name; empty for an unknown one. */
export function useEventProperties(eventName: string | undefined): readonly EventProperty[] {
  const api = useApi();
  const { data = [] } = useQuery({
    ...dataOf(api, listEventProperties, { params: { eventName: eventName ?? '' } }),
    select: ({ properties }) => properties,
    enabled: Boolean(eventName),
    retry: false,
    staleTime: lasting.staleTime,
  });
  return data.map(({ path, types, examples }) => ({ path, types, examples: examples.filter(isScalar) }));
}
