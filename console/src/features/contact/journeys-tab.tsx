import { Button } from '@mantine/core';
import { listContactJourneys } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { pageOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { JourneyIcon } from '../../shared/icons.tsx';
import { Moment } from '../../shared/moment.tsx';
import { type Names, useJourneyNames } from '../../shared/names/use-names.ts';
import type { Column } from '../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../shared/table/data-table.tsx';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';
import { enrolmentStates, t } from '../../texts/contact.ts';
import { reasons } from '../../texts/journey-timeline.ts';
import { t as words } from '../../texts/shared.ts';
import type { Enrolment } from './contact-api.ts';

export function JourneysTab({ id }: { id: string }) {
  const api = useApi();
  const names = useJourneyNames();
  const { pageNumber, setPage } = usePageParams();
  const query = useQuery({
    ...pageOf(api, listContactJourneys, { params: { id }, query: { pageNumber } }),
    ...pagedQuery,
  });
  return (
    <DataTable
      label={t.journey}
      query={query}
      onPage={setPage}
      columns={columns(id, names)}
      rowKey={({ enrolmentId }) => enrolmentId}
      href={({ journeyId, enrolmentId }) => `/journeys/${journeyId}/enrolments/${enrolmentId}`}
      empty={
        <EmptyState icon={<JourneyIcon size={20} />} title={t.emptyJourneys} text={t.emptyJourneysText}>
          <Button component={Link} href={`/why?contact=${id}`} variant="default">
            {t.why}
          </Button>
        </EmptyState>
      }
    />
  );
}

const columns = (contactId: string, { nameOf }: Names): Column<Enrolment>[] => [
  { id: 'journey', title: t.journey, cell: ({ journeyId }) => nameOf(journeyId) ?? t.someJourney },
  {
    id: 'state',
    title: t.state,
    cell: ({ state }) => (
      <ToneBadge tone={enrolmentStates[state]?.tone ?? 'quiet'}>{enrolmentStates[state]?.label ?? state}</ToneBadge>
    ),
  },
  {
    id: 'reason',
    title: t.reason,
    cell: ({ reason }) => (reason === null ? words.empty : (reasons[reason] ?? reason)),
    isEmpty: ({ reason }) => reason === null,
  },
  {
    id: 'step',
    title: t.step,
    cell: ({ stepId, stepName }) => stepName ?? stepId ?? words.empty,
    isEmpty: ({ stepId }) => stepId === null,
  },
  { id: 'entered', title: t.enteredAt, cell: ({ enteredAt }) => <Moment at={enteredAt} /> },
  {
    id: 'ended',
    title: t.endedAt,
    cell: ({ endedAt }) => (endedAt ? <Moment at={endedAt} /> : words.empty),
    isEmpty: ({ endedAt }) => endedAt === null,
  },
  {
    id: 'why',
    title: t.why,
    isUntitled: true,
    isNumber: true,
    cell: ({ journeyId }) => (
      <Button
        component={Link}
        href={`/why?contact=${contactId}&journey=${journeyId}`}
        variant="default"
        size="xs"
        aria-label={`${t.why} ${nameOf(journeyId) ?? ''}`}
      >
        {t.why}
      </Button>
    ),
  },
];
