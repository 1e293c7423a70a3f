// The contact's whole story: several collections, read page by page, merged by time.
import type { Page } from '@rapport/client';
import {
  getEnrolment,
  listContactActivity,
  listContactChanges,
  listContactJourneys,
  listMarketingActivity,
  listMessages,
  listProductActivity,
} from '@rapport/contract';
import { type InfiniteData, type UseInfiniteQueryOptions, useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { dataOf, pagesOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { useJourneyNames } from '../../../shared/names/use-names.ts';
import type { TimelineItem } from '../../../shared/timeline/timeline.tsx';
import { t } from '../../../texts/contact.ts';
import type { Contact, Enrolment } from '../contact-api.ts';
import { activityItem, changeItem, enrolmentItems, madeItem, mailItem, productItem, stepItems } from './items.tsx';
import { KeptMessages } from './kept.ts';
import { mergeStreams, type Stream } from './merge.ts';

export type StoryKind = 'all' | 'product' | 'mail' | 'changes' | 'journeys';

const pageSize = 50;
// For up to this many journeys, every step is loaded at once.
const mostSteps = 20;

/** Only the collections that the kind needs are fetched, in parallel. */
export function useStory(id: string, contact: Contact | undefined, kind: StoryKind) {
  const api = useApi();
  const of = { params: { id }, query: { pageSize } };
  const activity = usePages(pagesOf(api, listContactActivity, of), kind === 'all');
  const product = usePages(pagesOf(api, listProductActivity, of), kind === 'product');
  const mail = usePages(pagesOf(api, listMarketingActivity, of), kind === 'mail');
  const changes = usePages(pagesOf(api, listContactChanges, of), kind === 'all' || kind === 'changes');
  const ways = usePages(
    pagesOf(api, listContactJourneys, { params: { id }, query: { pageSize: 200 } }),
    kind === 'all' || kind === 'journeys',
  );
  // Beside the activity, which does not say that mail was only kept. A page of activity covers fewer messages than a page of these.
  const hasMail = kind === 'all' || kind === 'mail';
  const sent = usePages(
    pagesOf(api, listMessages, { query: { contactId: id, state: ['sent'], pageSize: 200 } }),
    hasMail,
  );
  const kept = new KeptMessages(sent.rows);
  const ofJourneys = useWays(ways.rows, kind === 'journeys');
  const made: Stream<TimelineItem> = {
    items: contact && (kind === 'all' || kind === 'changes') ? [madeItem(contact)] : [],
    isDone: true,
  };
  const read = [activity, product, mail, changes, ways];
  const { items, behind } = mergeStreams([
    { ...activity.stream, items: activity.rows.map((row, no) => activityItem(row, `a${no}`, kept)) },
    { ...product.stream, items: product.rows.map((row, no) => productItem(row, `p${no}`)) },
    { ...mail.stream, items: mail.rows.map((row, no) => mailItem(row, `m${no}`, kept)) },
    { ...changes.stream, items: changes.rows.map((row, no) => changeItem(row, `c${no}`)) },
    { ...ways.stream, items: ofJourneys },
    made,
  ]);
  const next = behind.flatMap((no) => read[no] ?? []);
  const asked = [...read, sent];
  const withSent = sent.hasMore && next.some((each) => each === activity || each === mail) ? [sent] : [];
  return {
    items,
    isPending: sent.isPending || (items.length === 0 && read.some(({ isPending }) => isPending)),
    error: asked.find(({ error }) => error)?.error ?? null,
    retry: () => void Promise.all(asked.filter(({ error }) => error).map(({ again }) => again())),
    more: next.length > 0 ? () => void Promise.all([...next, ...withSent].map((each) => each.more())) : undefined,
    isLoadingMore: read.some(({ isLoadingMore }) => isLoadingMore),
  };
}

type Pages<Row> = UseInfiniteQueryOptions<Page<Row>, Error, InfiniteData<Page<Row>>, readonly unknown[], number>;

function usePages<Row>(pages: Pages<Row>, isWanted: boolean) {
  const query = useInfiniteQuery({ ...pages, enabled: isWanted });
  const rows = isWanted ? (query.data?.pages.flatMap((page) => page.rows) ?? []) : [];
  // A collection that failed before its first page does not hold back the others; its error is shown below them.
  const hasFailed = query.error !== null && rows.length === 0;
  const isDone = !isWanted || hasFailed || (query.data !== undefined && !query.hasNextPage);
  return {
    rows,
    stream: { isDone },
    isPending: isWanted && query.isPending,
    error: isWanted ? query.error : null,
    isLoadingMore: query.isFetchingNextPage,
    hasMore: query.hasNextPage,
    more: () => query.fetchNextPage(),
    again: () => query.refetch(),
  };
}

/** How journeys went: starts and ends; with `isWhole` every step in between, as soon as it has loaded. */
function useWays(ways: readonly Enrolment[], isWhole: boolean): TimelineItem[] {
  const api = useApi();
  const { nameOf } = useJourneyNames();
  const wanted = isWhole ? ways.slice(0, mostSteps) : [];
  const records = useQueries({
    queries: wanted.map(({ journeyId, enrolmentId }) =>
      dataOf(api, getEnrolment, { params: { id: journeyId, enrolmentId }, query: { include: 'email' } }),
    ),
  });
  return ways
    .flatMap((way, no) => {
      const journey = nameOf(way.journeyId) ?? t.someJourney;
      const record = records[no]?.data;
      return record ? stepItems(record, way.journeyId, journey, nameOf) : enrolmentItems(way, journey);
    })
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
