import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { EventIcon, PauseIcon, PlayIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable } from '../../../shared/table/data-table.tsx';
import styles from '../../../shared/toolbar.module.css';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/events.ts';
import { t as words } from '../../../texts/shared.ts';
import { EventNameSelect } from '../event-name-select.tsx';
import { EventDrawer } from './event-drawer.tsx';
import classes from './live.module.css';
import type { RecentEvent } from './merge-events.ts';
import { useLiveEvents } from './use-live-events.ts';
import { inOneLine } from './values.ts';

const columns: Column<RecentEvent>[] = [
  { id: 'event', title: t.event, cell: ({ eventName }) => eventName, width: '22%' },
  {
    id: 'person',
    title: t.who,
    width: '24%',
    cell: ({ contactId, email }) => (
      <Anchor component={Link} href={`/contacts/${contactId}`}>
        {email}
      </Anchor>
    ),
  },
  {
    id: 'details',
    title: t.details,
    cell: ({ eventProperties }) => inOneLine(eventProperties) || words.empty,
    isEmpty: ({ eventProperties }) => Object.keys(eventProperties).length === 0,
  },
  {
    id: 'at',
    title: t.arrived,
    width: '9rem',
    cell: ({ receivedAt, eventDate }) => <Moment at={receivedAt ?? eventDate} />,
  },
];

export default function LiveTab() {
  const { param, setParam, clearing } = usePageParams();
  const [isPaused, setPaused] = useState(false);
  const [opened, setOpened] = useState<RecentEvent>();
  const eventName = param('name');
  const { rows, hasGap } = useLiveEvents(eventName, isPaused);
  return (
    <>
      <Toolbar
        onClear={clearing('name')}
        end={
          <Button
            variant="default"
            leftSection={isPaused ? <PlayIcon /> : <PauseIcon />}
            onClick={() => setPaused((was) => !was)}
          >
            {isPaused ? t.goOn : t.pause}
          </Button>
        }
      >
        <EventNameSelect
          placeholder={t.anyName}
          className={styles.grow ?? ''}
          value={eventName}
          onChange={(name) => setParam('name', name)}
        />
      </Toolbar>
      <div className={classes.state} role="status">
        <span className={isPaused ? classes.still : classes.pulse} aria-hidden="true" />
        {isPaused ? t.isPaused : t.isLive}
      </div>
      {hasGap && <Text c="dimmed">{t.hasGap}</Text>}
      <DataTable
        label={t.newest}
        rows={rows}
        columns={columns}
        rowKey={({ no }) => String(no)}
        onOpen={setOpened}
        empty={
          <EmptyState
            icon={<EventIcon size={20} />}
            title={t.noEvents}
            text={eventName ? t.noEventsOfName : t.noEventsText}
          >
            {!eventName && (
              <Button component="a" href="/docs" variant="default">
                {t.howTo}
              </Button>
            )}
          </EmptyState>
        }
      />
      <EventDrawer event={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}
