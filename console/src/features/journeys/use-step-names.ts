import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/session/session.tsx';
import type { Names } from './model/say.ts';
import { stepNamesOf } from './model/step-names.ts';
import { versionsQuery } from './tab-queries.ts';

/** The names of the steps of each version: contacts in an older version have other steps ahead. */
export function useStepNames(
  journeyId: string,
  current: unknown,
  names: Names,
): (version: number) => Map<string, string> {
  const { data: versions = [] } = useQuery(versionsQuery(useApi(), journeyId));
  return useMemo(() => {
    const known = new Map<number, Map<string, string>>();
    return (version) => {
      const definition = versions.find((each) => each.version === version)?.definition ?? current;
      const found = known.get(version) ?? stepNamesOf(definition, names);
      known.set(version, found);
      return found;
    };
  }, [versions, current, names]);
}
