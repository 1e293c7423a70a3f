import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Card } from '../../shared/card.tsx';
import { ErrorState } from '../../shared/error-state.tsx';
import { LoadingState } from '../../shared/loading-state.tsx';
import { Moment } from '../../shared/moment.tsx';
import { t } from '../../texts/home.ts';
import { t as words } from '../../texts/shared.ts';
import { useLiveEvents } from '../events/live/use-live-events.ts';
import classes from './home.module.css';

const shown = 8;

/** The newest events, as they arrive. */
export function EventsNow() {
  const { rows } = useLiveEvents(undefined);
  return (
    <Card
      title={t.events}
      actions={
        <Anchor component={Link} href="/events">
          {t.allEvents}
        </Anchor>
      }
    >
      {rows.isPending && <LoadingState label={words.loading} rows={4} />}
      {rows.error && !rows.data && <ErrorState error={rows.error} onRetry={() => void rows.refetch()} compact />}
      {rows.data?.length === 0 && <Text c="dimmed">{t.noEvents}</Text>}
      <ul className={classes.items}>
        {rows.data?.slice(0, shown).map(({ no, eventName, contactId, email, receivedAt, eventDate }) => (
          <li key={no} className={classes.event}>
            <div className={classes.grow}>
              <div className={classes.name}>{eventName}</div>
              <div className={classes.quiet}>
                <Anchor component={Link} href={`/contacts/${contactId}`} inherit c="inherit">
                  {email}
                </Anchor>
              </div>
            </div>
            <span className={classes.when}>
              <Moment at={receivedAt ?? eventDate} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
