// The design as the service compiles it, a moment after the last change: its HTML for the preview, and its problems.

import { useDebouncedValue } from '@mantine/hooks';
import { compileEmail, type Design, type DesignProblem } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dataOf, hashed } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';

// Long enough that a word is typed.
const pauseMs = 300;

export interface Compiled {
  html: string | undefined;
  /** Undefined: not checked yet. */
  problems: readonly DesignProblem[] | undefined;
  error: Error | null;
}

/** `language`: the one that it is a translation for. */
export function useCompiled(design: Design | null, language?: string): Compiled {
  const api = useApi();
  const [settled] = useDebouncedValue(design, pauseMs);
  const question = useMemo(() => {
    const body = { design: settled, ...(language === undefined ? {} : { language }) };
    return hashed(dataOf(api, compileEmail, { body }));
  }, [api, settled, language]);
  const { data, error } = useQuery({
    ...question,
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    // Each pause in typing is a question of its own: they need not be remembered.
    gcTime: 10_000,
  });
  return { html: data?.html || undefined, problems: data?.problems, error };
}
