import { ApiFailure } from '@rapport/client';
import { createDynamicList } from '@rapport/contract';
import { useApi } from '../../api/session/session.tsx';
import { t } from '../../texts/audience.ts';
import type { FilterJson } from './builder/filter-builder.tsx';
import { ListDialog } from './list-dialog.tsx';

/** Saves a filter as a dynamic list: it gets a name, and keeps finding contacts. */
export function SaveListDialog({ filter, onClose }: { filter: FilterJson; onClose: () => void }) {
  const api = useApi();
  return (
    <ListDialog
      draft="dynamic-list"
      title={t.saveAsList}
      send={async (name, description) => {
        const body = { name, filter, description: description ?? undefined };
        return (await api.call(createDynamicList, { body })).data;
      }}
      refused={(error) => ({ form: error instanceof ApiFailure ? error.message : t.notSaved })}
      refresh={['dynamic-lists', 'lists']}
      goTo={({ dynamicListId }) => `/lists/dynamic/${dynamicListId}`}
      onClose={onClose}
    />
  );
}
