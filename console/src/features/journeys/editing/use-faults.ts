import { useDebouncedValue } from '@mantine/hooks';
import { checkJourney } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dataOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import type { JourneyFault, SendingWarning } from '../journey-api.ts';
import { entryId } from '../model/edit.ts';
import { ruleNames, rulePlace } from '../model/say-rules.ts';
import type { JourneyWork } from './use-journey-work.ts';

const none: readonly JourneyFault[] = [];

export interface Faults {
  /** Undefined until the first response. */
  readonly all: readonly JourneyFault[] | undefined;
  /** What prevents its emails from arriving, although it may be activated. */
  readonly warnings: readonly SendingWarning[];
  readonly isChecking: boolean;
  readonly failed: boolean;
  /** By step, entry or rule. */
  readonly at: ReadonlyMap<string, readonly JourneyFault[]>;
  again(): void;
}

/** The service checks the definition a moment after the last edit, as activation would. */
export function useFaults({ journey, written, isDirty }: JourneyWork): Faults {
  const api = useApi();
  const { canWrite } = useRights();
  const [definition] = useDebouncedValue(written, 400);
  // A running journey was checked when it was activated.
  const isWanted = isDirty || journey.status !== 'active';
  const { data, isFetching, isError, refetch } = useQuery({
    ...dataOf(api, checkJourney, { body: { type: journey.type, definition }, idempotencyKey: false }),
    enabled: canWrite && isWanted,
    staleTime: 60_000,
    gcTime: 60_000,
    placeholderData: (old) => old,
  });
  const all = isWanted ? data?.faults : none;
  const at = useMemo(() => byPlace(all ?? none), [all]);
  const warnings = (isWanted && data?.warnings) || [];
  return { all, at, warnings, isChecking: isFetching, failed: isError, again: () => void refetch() };
}

export function placeOf({ stepId, path }: JourneyFault): string {
  if (stepId !== null) return stepId;
  // `definition.window.to` is about the rule `window`.
  const rule = ruleNames.find((name) => name === path.split('.')[1]);
  return rule ? rulePlace(rule) : entryId;
}

function byPlace(faults: readonly JourneyFault[]): Map<string, JourneyFault[]> {
  const at = new Map<string, JourneyFault[]>();
  for (const fault of faults) at.set(placeOf(fault), [...(at.get(placeOf(fault)) ?? []), fault]);
  return at;
}
