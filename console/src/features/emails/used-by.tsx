// Which journeys and sends use an email, on its page: what people want to know before they change it.
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/session/session.tsx';
import { t } from '../../texts/emails.ts';
import { statuses as sendStatuses } from '../../texts/sends.ts';
import { usedByQuery, usedInSendsQuery } from './email-queries.ts';

interface Use {
  href: string;
  name: string;
  /** Unless it is an active journey. */
  state: string | undefined;
}

export const UsedBy = memo(function UsedBy({ id }: { id: string }) {
  const api = useApi();
  const { data: journeys } = useQuery(usedByQuery(api, id));
  const { data: sends } = useQuery(usedInSendsQuery(api, id));
  // A line is reserved for it, so that nothing moves when it loads.
  if (!journeys || !sends) return <span>{'\u00a0'}</span>;
  const uses: Use[] = [
    ...journeys.rows.map(({ journeyId, name, status }) => ({
      ...{ href: `/journeys/${journeyId}`, name },
      state: status === 'active' ? undefined : t.journeyStatus[status],
    })),
    ...sends.rows.map(({ broadcastId, name, status }) => ({
      ...{ href: `/sends/${broadcastId}`, name },
      state: sendStatuses[status].label.toLowerCase(),
    })),
  ];
  if (uses.length === 0) return <span>{t.usedByNone}</span>;
  const more = journeys.totalElements + sends.totalElements - uses.length;
  return (
    <span>
      {t.usedBy}{' '}
      {uses.map(({ href, name, state }, at) => (
        <span key={href}>
          {at > 0 && ', '}
          <Anchor component={Link} href={href} inherit>
            {name}
          </Anchor>
          {state !== undefined && ` (${state})`}
        </span>
      ))}
      {more > 0 && t.usedByMore(more)}
    </span>
  );
});
