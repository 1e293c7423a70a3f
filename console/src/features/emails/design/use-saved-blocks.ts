// The saved blocks of the workspace, by id.
import type { Design } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { type StoredBlock, savedBlocksQuery } from './design-api.ts';
import { blockAt } from './model/places.ts';
import type { Compiled } from './use-compiled.ts';

export interface SavedBlocks {
  /** False: still being loaded. */
  readonly isKnown: boolean;
  readonly byId: ReadonlyMap<string, StoredBlock>;
  /** Those that can be inserted, by name. */
  readonly offered: readonly StoredBlock[];
}

const none: readonly StoredBlock[] = [];

/** @param except a block that is being edited: it cannot be part of itself. */
export function useSavedBlocks(except?: string): SavedBlocks {
  const api = useApi();
  const { data } = useQuery(savedBlocksQuery(api));
  return useMemo(() => {
    const all = data ?? none;
    return {
      isKnown: data !== undefined,
      byId: new Map(all.map((block) => [block.blockId, block])),
      offered: all.filter(({ blockId }) => blockId !== except).sort((a, b) => a.name.localeCompare(b.name)),
    };
  }, [data, except]);
}

/** A block that somebody else deleted is still among those that were read: the service says so when it compiles the design. */
export function useDeletedElsewhere(design: Design, { problems }: Compiled, { byId }: SavedBlocks): void {
  const queries = useQueryClient();
  const isBehind =
    problems?.some(({ place, severity }) => {
      const [, path] = /^design\.(.+)\.blockId$/.exec(place) ?? [];
      const block = path === undefined || severity !== 'error' ? undefined : blockAt(design, path);
      return block?.type === 'saved' && byId.has(block.blockId);
    }) ?? false;
  useEffect(() => {
    if (isBehind) void queries.invalidateQueries(about('blocks'));
  }, [isBehind, queries]);
}
