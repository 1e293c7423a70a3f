import { Select, Text } from '@mantine/core';
import { Compared, type NamedList } from '../features/lists/compare/compared.tsx';
import { listKey, readKey, sayKey } from '../features/lists/list-key.ts';
import { useListStates, useLists } from '../features/lists/list-rows.ts';
import { BackLink } from '../shared/back-link.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { Page } from '../shared/page.tsx';
import toolbar from '../shared/toolbar.module.css';
import { Toolbar } from '../shared/toolbar.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/lists.ts';

/** Two lists, and who is in both or in one of them. Both are in the address. */
export default function CompareListsPage() {
  const { param, setParam } = usePageParams();
  const { data: lists, error, refetch } = useLists(undefined, undefined, undefined);
  const states = useListStates();
  const choices = (lists ?? []).map(({ type, id, name }) => ({
    value: sayKey(listKey(type, id)),
    label: t.nameAndType(name, type),
  }));
  const chosen = (which: 'one' | 'other'): NamedList | undefined => {
    const key = readKey(param(which));
    const list = key && lists?.find(({ type, id }) => sayKey(listKey(type, id)) === sayKey(key));
    return key && list && { key, name: list.name };
  };
  const [one, other] = [chosen('one'), chosen('other')];
  const picker = (which: 'one' | 'other', label: string, taken: NamedList | undefined) => (
    <Select
      label={label}
      placeholder={t.chooseList}
      data={choices.filter(({ value }) => !taken || value !== sayKey(taken.key))}
      value={(which === 'one' ? one : other) ? (param(which) ?? null) : null}
      onChange={(next) => setParam(which, next ?? undefined)}
      searchable
      className={toolbar.grow ?? ''}
      nothingFoundMessage={t.noMatch}
    />
  );
  const isBuilding = [one, other].some(
    (list) => list && 'dynamicListId' in list.key && states.get(list.key.dynamicListId)?.state === 'building',
  );
  return (
    <Page title={t.compareTitle} lead={t.compareLead} above={<BackLink href="/lists" label={t.lists} />}>
      {error && !lists && <ErrorState error={error} onRetry={() => void refetch()} />}
      <Toolbar>
        {picker('one', t.firstList, other)}
        {picker('other', t.secondList, one)}
      </Toolbar>
      {isBuilding && <Text c="dimmed">{t.buildingText}</Text>}
      {one && other ? <Compared one={one} other={other} /> : <Text c="dimmed">{t.chooseTwo}</Text>}
    </Page>
  );
}
