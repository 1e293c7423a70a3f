import { type DataValue, listEventNames } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { EventIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import { SearchBox } from '../../../shared/search-box.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import styles from '../../../shared/toolbar.module.css';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/events.ts';
import { whole } from '../../../texts/numbers.ts';
import { t as words } from '../../../texts/shared.ts';
import { DayBars } from './day-bars.tsx';

type EventName = DataValue<typeof listEventNames>;

const moment = (at: string | null) => (at === null ? words.empty : <Moment at={at} />);
const columns: Column<EventName>[] = [
  { id: 'name', title: t.name, cell: ({ eventName }) => eventName },
  { id: 'days', title: t.lastDays, cell: ({ days }) => <DayBars days={days} />, width: '15rem' },
  { id: 'total', title: t.total, cell: ({ total }) => whole(total), isNumber: true },
  { id: 'first', title: t.firstSeen, cell: ({ firstSeenAt }) => moment(firstSeenAt) },
  { id: 'last', title: t.lastSeen, cell: ({ lastSeenAt }) => moment(lastSeenAt) },
];

export default function NamesTab() {
  const api = useApi();
  const { pageNumber, param, setParam, setPage, clearing } = usePageParams();
  const search = param('search');
  const query = useQuery({
    ...pageOf(api, listEventNames, { query: { search, pageNumber, pageSize: 50 } }),
    ...pagedQuery,
  });
  return (
    <>
      <Toolbar onClear={clearing('search')}>
        <SearchBox
          label={t.searchNames}
          placeholder={t.searchNamesHint}
          value={search ?? ''}
          onSearch={(value) => setParam('search', value)}
          className={styles.grow}
        />
      </Toolbar>
      <DataTable
        label={t.names}
        query={query}
        onPage={setPage}
        columns={columns}
        rowKey={({ eventName }) => eventName}
        href={({ eventName }) => `/events/properties?of=event&name=${encodeURIComponent(eventName)}`}
        empty={
          search ? (
            <EmptyState title={t.nothingMatches} text={t.nothingMatchesText} />
          ) : (
            <EmptyState icon={<EventIcon size={20} />} title={t.noNames} text={t.noEventsText} />
          )
        }
      />
    </>
  );
}
