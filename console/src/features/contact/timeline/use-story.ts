// The person's whole story: several collections, read page by page, merged by time.
import type { Page } from '@rapport/client';
import {
  getEnrolment,
  listContactActivity,
  listContactChanges,
  listContactJourneys,
  listMarketingActivity,
  listProductActivity,
} from '@rapport/contract';
import { type InfiniteData, useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { useJourneyNames } from '../../../shared/names/use-names.ts';
import type { TimelineItem } from '../../../shared/timeline/timeline.tsx';
import { t } from '../../../texts/contact.ts';
import type { Contact, Enrolment } from '../contact-api.ts';
import { activityItem, changeItem, enrolmentItems, madeItem, mailItem, productItem, stepItems } from './items.tsx';
import { mergeStreams, type Stream } from './merge.ts';

export type StoryKind = 'all' | 'product' | 'mail' | 'changes' | 'journeys';

const pageSize = 50;
// Of so many journeys every step is told at once.
const mostSteps = 20;

/** Only the collections that the kind needs are asked for, all at once. */
export function useStory(id: string, contact: Contact | undefined, kind: StoryKind) {
  const api = useApi();
  const of = { params: { id } };
  const paged = (pageNumber: number) => ({ pageNumber, pageSize });
  const activity = usePages(id, 'activity', kind === 'all', (page, signal) =>
    api.page(listContactActivity, { ...of, query: paged(page), signal }),
  );
  const product = usePages(id, 'product', kind === 'product', (page, signal) =>
    api.page(listProductActivity, { ...of, query: paged(page), signal }),
  );
  const mail = usePages(id, 'mail', kind === 'mail', (page, signal) =>
    api.page(listMarketingActivity, { ...of, query: paged(page), signal }),
  );
  const changes = usePages(id, 'changes', kind === 'all' || kind === 'changes', (page, signal) =>
    api.page(listContactChanges, { ...of, query: paged(page), signal }),
  );
  const ways = usePages(id, 'ways', kind === 'all' || kind === 'journeys', (page, signal) =>
    api.page(listContactJourneys, { ...of, query: { pageNumber: page, pageSize: 200 }, signal }),
  );
  const ofJourneys = useWays(ways.rows, kind === 'journeys');
  const made: Stream<TimelineItem> = {
    items: contact && (kind === 'all' || kind === 'changes') ? [madeItem(contact)] : [],
    isDone: true,
  };
  const read = [activity, product, mail, changes, ways];
  const { items, behind } = mergeStreams([
    { ...activity.stream, items: activity.rows.map((row, no) => activityItem(row, `a${no}`)) },
    { ...product.stream, items: product.rows.map((row, no) => productItem(row, `p${no}`)) },
    { ...mail.stream, items: mail.rows.map((row, no) => mailItem(row, `m${no}`)) },
    { ...changes.stream, items: changes.rows.map((row, no) => changeItem(row, `c${no}`)) },
    { ...ways.stream, items: ofJourneys },
    made,
  ]);
  const next = behind.flatMap((no) => read[no] ?? []);
  return {
    items,
    isPending: items.length === 0 && read.some(({ isPending }) => isPending),
    error: read.find(({ error }) => error)?.error ?? null,
    retry: () => void Promise.all(read.filter(({ error }) => error).map(({ again }) => again())),
    more: next.length > 0 ? () => void Promise.all(next.map((each) => each.more())) : undefined,
    isLoadingMore: read.some(({ isLoadingMore }) => isLoadingMore),
  };
}

type FetchPage<Row> = (pageNumber: number, signal: AbortSignal) => Promise<Page<Row>>;

function usePages<Row>(id: string, what: string, isWanted: boolean, fetchPage: FetchPage<Row>) {
  const query = useInfiniteQuery<Page<Row>, Error, InfiniteData<Page<Row>, number>, readonly unknown[], number>({
    queryKey: keys.contacts.of(id, `story ${what}`),
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: ({ pageNumber, totalPages }) => (pageNumber < totalPages ? pageNumber + 1 : undefined),
    enabled: isWanted,
  });
  const rows = isWanted ? (query.data?.pages.flatMap((page) => page.rows) ?? []) : [];
  // One that failed before its first page does not keep the others back; its error is shown below them.
  const hasFailed = query.error !== null && rows.length === 0;
  const isDone = !isWanted || hasFailed || (query.data !== undefined && !query.hasNextPage);
  return {
    rows,
    stream: { isDone },
    isPending: isWanted && query.isPending,
    error: isWanted ? query.error : null,
    isLoadingMore: query.isFetchingNextPage,
    more: () => query.fetchNextPage(),
    again: () => query.refetch(),
  };
}

/** How journeys went: beginnings and ends; with `isWhole` every step in between, as soon as it is here. */
function useWays(ways: readonly Enrolment[], isWhole: boolean): TimelineItem[] {
  const api = useApi();
  const { nameOf } = useJourneyNames();
  const wanted = isWhole ? ways.slice(0, mostSteps) : [];
  const records = useQueries({
    queries: wanted.map(({ journeyId, enrolmentId }) => ({
      queryKey: keys.journeys.of(journeyId, 'enrolment', { enrolmentId }),
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await api.call(getEnrolment, { params: { id: journeyId, enrolmentId }, query: { include: 'email' }, signal }))
          .data,
    })),
  });
  return ways
    .flatMap((way, no) => {
      const journey = nameOf(way.journeyId) ?? t.someJourney;
      const record = records[no]?.data;
      return record ? stepItems(record, way.journeyId, journey) : enrolmentItems(way, journey);
    })
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
