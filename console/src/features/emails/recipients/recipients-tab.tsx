// The people of an email: who got it, opened it, clicked in it, and who did not, each with the reason one click away.
import { Button, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/session/session.tsx';
import { DownloadButton } from '../../../shared/download-button.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { PeopleIcon } from '../../../shared/icons.tsx';
import { SearchBox } from '../../../shared/search-box.tsx';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import toolbar from '../../../shared/toolbar.module.css';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { groups, t } from '../../../texts/recipients.ts';
import { recipientColumns } from './recipient-columns.tsx';
import { exportPath, groupOf, recipientsQuery } from './recipients-query.ts';
import classes from './recipients-tab.module.css';

const choices = Object.entries(groups).map(([value, label]) => ({ value, label }));

export default function RecipientsTab({ id, name }: { id: string; name: string }) {
  const api = useApi();
  const { param, setParam, clearing } = usePageParams();
  const wanted = { group: groupOf(param('group')), search: param('search') };
  const { group, search } = wanted;
  const query = useInfiniteQuery({ ...recipientsQuery(api, id, wanted), ...pagedQuery });
  const { data, error, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage } = query;
  const rows = data?.pages.flatMap(({ recipients }) => recipients);
  const fileName = t.fileName(name, group ? groups[group] : t.everyone);
  return (
    <>
      <Toolbar
        onClear={clearing('group', 'search')}
        end={<DownloadButton path={exportPath(id, wanted)} fileName={fileName} label={t.export} />}
      >
        <SearchBox
          label={t.search}
          placeholder={t.searchHint}
          value={search ?? ''}
          onSearch={(value) => setParam('search', value.trim())}
          className={toolbar.grow}
        />
        <Select
          aria-label={t.group}
          placeholder={t.everyone}
          data={choices}
          value={group ?? null}
          onChange={(value) => setParam('group', value ?? undefined)}
          clearable
          w={180}
        />
      </Toolbar>
      <DataTable
        rows={{ data: rows, error, isPending, isPlaceholderData, refetch: query.refetch }}
        label={t.title}
        columns={recipientColumns}
        rowKey={({ messageId }) => messageId}
        href={({ contactId, messageId }) => (contactId === null ? `/messages/${messageId}` : `/contacts/${contactId}`)}
        empty={
          group || search ? (
            <EmptyState title={t.noMatch} text={t.noMatchText} />
          ) : (
            <EmptyState icon={<PeopleIcon size={20} />} title={t.empty} text={t.emptyText} />
          )
        }
      />
      {hasNextPage && (
        <Button
          variant="default"
          className={classes.more ?? ''}
          loading={isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t.more}
        </Button>
      )}
    </>
  );
}
