// A list's filter while somebody edits it: kept in this browser until it is saved, and never saved over what somebody else did meanwhile.
import { useState } from 'react';
import { useRights } from '../../../session/rights.ts';
import { useApi } from '../../../session/session.tsx';
import { drafts } from '../../../shared/drafts/kept-draft.ts';
import { asFilter, type FilterJson } from '../builder/filter-builder.tsx';
import { type DynamicList, fetchList, nameOfAccount, useSaveList } from './list-api.ts';

export interface Theirs {
  list: DynamicList;
  by: string | null;
}

export function useFilterDraft(list: DynamicList, tenantId: number | undefined) {
  const api = useApi();
  const { canWrite } = useRights();
  const id = list.dynamicListId ?? '';
  const draftName = `dynamic-list:${id}`;
  const send = useSaveList(id);
  const [kept] = useState(() =>
    tenantId === undefined || !canWrite ? undefined : drafts.find<FilterJson>(tenantId, draftName),
  );
  const [base, setBase] = useState({ at: kept?.base ?? list.updatedAt, filter: asFilter(list.filter) });
  const [filter, setFilter] = useState(() => kept?.value ?? asFilter(list.filter));
  const [theirs, setTheirs] = useState<Theirs>();
  const [error, setError] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const isDirty = JSON.stringify(filter) !== JSON.stringify(base.filter);

  const change = (next: FilterJson) => {
    setFilter(next);
    setError(undefined);
    if (tenantId !== undefined) drafts.keep(tenantId, draftName, next, base.at);
  };
  const adopt = (now: Pick<DynamicList, 'updatedAt' | 'filter'>) => {
    setBase({ at: now.updatedAt, filter: asFilter(now.filter) });
    setFilter(asFilter(now.filter));
    setTheirs(undefined);
    if (tenantId !== undefined) drafts.forget(tenantId, draftName);
  };
  /** The API of lists has no If-Match: the list is looked at right before it is written. */
  const save = async (isSure: boolean) => {
    setSaving(true);
    setError(undefined);
    try {
      const now = await fetchList(api, id);
      const isOurs = now.updatedAt === base.at || JSON.stringify(now.filter) === JSON.stringify(base.filter);
      if (isSure || isOurs) adopt(await send({ filter }));
      else setTheirs({ list: now, by: await nameOfAccount(api, now.updatedBy) });
    } catch (cause) {
      setError(cause as Error);
    } finally {
      setSaving(false);
    }
  };
  return {
    filter,
    isDirty,
    isRestored: kept !== undefined && isDirty,
    isSaving,
    error,
    theirs,
    change,
    save: () => save(false),
    overwrite: () => {
      setTheirs(undefined);
      return save(true);
    },
    takeTheirs: () => theirs && adopt(theirs.list),
    keepEditing: () => setTheirs(undefined),
    discard: () => adopt({ updatedAt: base.at, filter: base.filter }),
  };
}
