import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ClockIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import rowStyles from '../../../shared/rows.module.css';
import { pagedQuery, Rows } from '../../../shared/rows.tsx';
import { type Tone, ToneBadge } from '../../../shared/tone-badge.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { type Arrival, fetchActivity } from '../email-api.ts';

const outcomes: Record<Arrival['outcome'], { label: string; tone: Tone }> = {
  stored: { label: 'Stored', tone: 'good' },
  replaced: { label: 'Replaced', tone: 'info' },
  rejected: { label: 'Rejected', tone: 'bad' },
  deleted: { label: 'Deleted', tone: 'quiet' },
};

function isOutcome(word: string): word is Arrival['outcome'] {
  return Object.hasOwn(outcomes, word);
}

export default function ActivityTab({ id }: { id: string }) {
  const api = useApi();
  const { pageNumber, param, setParam, setPage } = usePageParams();
  const asked = param('outcome');
  const outcome = asked && isOutcome(asked) ? asked : undefined;
  const query = useQuery({
    queryKey: ['activity', id, { outcome, pageNumber }],
    queryFn: () => fetchActivity(api, id, outcome, pageNumber),
    // Versions keep arriving while a person watches.
    refetchInterval: 10_000,
    ...pagedQuery,
  });
  return (
    <>
      <div className={rowStyles.toolbar}>
        <SegmentedControl
          aria-label="Outcome"
          value={outcome ?? 'all'}
          onChange={(value) => setParam('outcome', value === 'all' ? undefined : value)}
          data={[
            { value: 'all', label: 'All' },
            ...Object.entries(outcomes).map(([value, { label }]) => ({ value, label })),
          ]}
        />
      </div>
      <Rows
        query={query}
        label="Activity"
        columns={[{ title: 'Contact' }, { title: 'Outcome' }, { title: 'Reason' }, { title: 'When' }]}
        row={(arrival) => <Row key={`${arrival.occurredAt} ${arrival.email} ${arrival.outcome}`} arrival={arrival} />}
        onPage={setPage}
        empty={
          outcome ? (
            <EmptyState title={`Nothing was ${outcome}`} text="Versions with another outcome may still have arrived." />
          ) : (
            <EmptyState
              icon={<ClockIcon size={20} />}
              title="Nothing has arrived yet"
              text="Each version that is sent for this email shows up here, also a refused one, with the reason."
            />
          )
        }
      />
    </>
  );
}

function Row({ arrival: { email, outcome, reason, occurredAt } }: { arrival: Arrival }) {
  const { label, tone } = outcomes[outcome];
  return (
    <tr>
      <td className={email ? rowStyles.main : rowStyles.quiet}>{email ?? 'Erased contact'}</td>
      <td data-label="Outcome">
        <ToneBadge tone={tone}>{label}</ToneBadge>
      </td>
      <td data-label="Reason" className={reason ? undefined : rowStyles.quiet} data-empty={!reason || undefined}>
        {reason ?? '–'}
      </td>
      <td data-label="When" className={`${rowStyles.quiet} ${rowStyles.nowrap}`}>
        <Moment at={occurredAt} />
      </td>
    </tr>
  );
}
