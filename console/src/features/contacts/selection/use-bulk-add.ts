import { addMembers, createList } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { exportPath } from '../export-path.ts';
import type { ContactView } from '../use-contact-view.ts';
import { addAll, type BulkAddResult, type Progress, readIds } from './bulk-add.ts';
import type { Selection } from './selection.ts';

/** An existing list by its id, or a new one by its name. */
export type Target = { staticListId: string } | { name: string };
export interface Added extends BulkAddResult {
  staticListId: string;
  isStopped: boolean;
}

export function useBulkAdd(selection: Selection, view: ContactView) {
  const api = useApi();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  const stopper = useRef(new AbortController());
  const everybody = async (signal: AbortSignal) => {
    // One file with all ids: reading pages would take hundreds of requests, and new contacts would shift them.
    const { body } = await api.download(exportPath(view, 'id'), { signal });
    return body ? readIds(body, setProgress) : [];
  };
  const run = useMutation({
    mutationFn: async (target: Target): Promise<Added> => {
      stopper.current = new AbortController();
      const { signal } = stopper.current;
      setProgress({ step: 'reading', done: 0 });
      const ids = selection.kind === 'all' ? await everybody(signal) : [...selection.ids];
      const staticListId =
        'name' in target
          ? (await api.call(createList, { body: { name: target.name } })).data.staticListId
          : target.staticListId;
      const add = async (contactIds: readonly string[]) =>
        (await api.call(addMembers, { params: { id: staticListId }, body: { contactIds } })).data;
      const outcome = await addAll(ids, add, setProgress, signal);
      return { ...outcome, staticListId, isStopped: signal.aborted };
    },
    onSettled: () => queries.invalidateQueries(about('lists')),
  });
  return { run, progress, stop: () => stopper.current.abort() };
}
