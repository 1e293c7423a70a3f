// Which journeys send an email, on its page: what people want to know before they change it.
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/session/session.tsx';
import { t } from '../../texts/emails.ts';
import { usedByQuery } from './email-queries.ts';

export const UsedBy = memo(function UsedBy({ id }: { id: string }) {
  const api = useApi();
  const { data } = useQuery(usedByQuery(api, id));
  // A line is reserved for it, so that nothing moves when it loads.
  if (!data) return <span>{'\u00a0'}</span>;
  if (data.rows.length === 0) return <span>{t.usedByNone}</span>;
  const more = data.totalElements - data.rows.length;
  return (
    <span>
      {t.usedBy}{' '}
      {data.rows.map(({ journeyId, name, status }, at) => (
        <span key={journeyId}>
          {at > 0 && ', '}
          <Anchor component={Link} href={`/journeys/${journeyId}`} inherit>
            {name}
          </Anchor>
          {status !== 'active' && ` (${t.journeyStatus[status]})`}
        </span>
      ))}
      {more > 0 && t.usedByMore(more)}
    </span>
  );
});
