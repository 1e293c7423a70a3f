import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/session/session.tsx';
import type { Variable } from './email-api.ts';
import { variablesQuery } from './email-queries.ts';

export interface Variables {
  all: readonly Variable[];
  names: readonly string[];
  /** Variables that a contact may not have. */
  properties: ReadonlySet<string>;
}

const none: readonly Variable[] = [];

/** The variables that emails of this workspace may use. */
export function useVariables(): Variables {
  const api = useApi();
  const { data = none } = useQuery(variablesQuery(api));
  return useMemo(
    () => ({
      all: data,
      names: data.map(({ name }) => name),
      properties: new Set(data.filter(({ kind }) => kind === 'property').map(({ name }) => name)),
    }),
    [data],
  );
}
