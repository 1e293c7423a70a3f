import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/session/session.tsx';
import type { StepType } from './model/definition.ts';
import { readDefinition } from './model/read.ts';
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

/** What kind of step an id means in a version. */
export function useStepTypes(
  journeyId: string,
  current: unknown,
): (version: number, stepId: string) => StepType | undefined {
  const { data: versions = [] } = useQuery(versionsQuery(useApi(), journeyId));
  return (version, stepId) => {
    const read = readDefinition(versions.find((each) => each.version === version)?.definition ?? current);
    return 'problem' in read ? undefined : read.definition.steps.find(({ id }) => id === stepId)?.type;
  };
}
