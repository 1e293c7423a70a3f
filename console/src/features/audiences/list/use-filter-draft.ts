// Unsaved work on the filter of a list.
import { useApi } from '../../../api/session/session.tsx';
import type { DraftKind, Tagged } from '../../../shared/drafts/draft.ts';
import { SavedMeanwhile, useDraft } from '../../../shared/drafts/use-draft.ts';
import { asFilter, type FilterJson } from '../builder/filter-builder.tsx';
import { type DynamicList, fetchList, nameOfAccount, useSaveList } from './list-api.ts';

type Saved = Pick<DynamicList, 'filter' | 'updatedAt' | 'updatedBy'>;
interface TaggedList extends Tagged {
  readonly list: Saved;
}

/** The API has no ETag for lists: the filter itself identifies the save. */
const tagged = (list: Saved): TaggedList => ({ list, etag: JSON.stringify(asFilter(list.filter)) });

const kind: DraftKind<TaggedList, FilterJson, FilterJson> = {
  read: ({ list }) => asFilter(list.filter),
  isSame: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  keep: (filter) => filter,
  restore: (filter) => filter,
};

export function useFilterDraft(list: DynamicList) {
  const api = useApi();
  const id = list.dynamicListId ?? '';
  const save = useSaveList(id);
  const fetch = async () => tagged(await fetchList(api, id));
  const draft = useDraft<TaggedList, FilterJson, FilterJson, string>(tagged(list), `dynamic-list:${id}`, kind, {
    fetch,
    send: async (filter, over) => {
      // The lists API has no If-Match, so the list is read right before it is written.
      if ((await fetch()).etag !== over.etag) throw new SavedMeanwhile();
      return tagged(await save({ filter }));
    },
    whoSaved: ({ list: { updatedBy } }) => nameOfAccount(api, updatedBy),
    refusalOf: (error) => error.message,
    conflict: '',
  });
  const { refusal, value, saveState, edit } = draft;
  return {
    ...draft,
    error: refusal?.sent === value && saveState === 'failed' ? refusal.why : '',
    change: (next: FilterJson) => edit(() => next, 'filter'),
  };
}
