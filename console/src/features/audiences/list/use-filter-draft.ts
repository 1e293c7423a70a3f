// A list's filter while somebody edits it: kept in this browser until it is saved, and never saved over what somebody else did meanwhile.
import { useRef, useState } from 'react';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { useShelf } from '../../../shared/drafts/use-shelf.ts';
import { asFilter, type FilterJson } from '../builder/filter-builder.tsx';
import { type DynamicList, fetchList, nameOfAccount, useSaveList } from './list-api.ts';

export interface Theirs {
  list: DynamicList;
  by: string | null;
}

/** Where it is known whose drafts they are. */
export function useFilterDraft(list: DynamicList) {
  const api = useApi();
  const { canWrite } = useRights();
  const id = list.dynamicListId ?? '';
  const shelf = useShelf<FilterJson>(`dynamic-list:${id}`);
  const send = useSaveList(id);
  const [kept] = useState(() => (canWrite ? shelf.find() : undefined));
  /** What is stored, as far as we know, and what the draft was begun on: after a reload those may differ. */
  const [stored, setStored] = useState(() => asFilter(list.filter));
  const [begunOn, setBegunOn] = useState(() => kept?.base ?? JSON.stringify(asFilter(list.filter)));
  const [filter, setFilter] = useState(() => kept?.value ?? asFilter(list.filter));
  const [theirs, setTheirs] = useState<Theirs>();
  const [error, setError] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const isDirty = JSON.stringify(filter) !== JSON.stringify(stored);
  const latest = useRef(filter);
  latest.current = filter;

  const change = (next: FilterJson) => {
    latest.current = next;
    setFilter(next);
    setError(undefined);
    shelf.keep(next, begunOn);
  };
  const adopt = (now: unknown, sent?: FilterJson) => {
    const text = JSON.stringify(asFilter(now));
    setStored(asFilter(now));
    setBegunOn(text);
    setTheirs(undefined);
    // What was changed while it was being saved stays.
    const goesOn = sent !== undefined && latest.current !== sent;
    if (!goesOn) setFilter(asFilter(now));
    if (goesOn) shelf.keep(latest.current, text);
    else shelf.forget();
  };
  /** The API of lists has no If-Match: the list is looked at right before it is written. */
  const save = async (isSure: boolean) => {
    setSaving(true);
    setError(undefined);
    try {
      const now = await fetchList(api, id);
      const isOurs = JSON.stringify(asFilter(now.filter)) === begunOn;
      if (isSure || isOurs) adopt((await send({ filter })).filter, filter);
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
    takeTheirs: () => theirs && adopt(theirs.list.filter),
    keepEditing: () => setTheirs(undefined),
    discard: () => adopt(stored),
  };
}
