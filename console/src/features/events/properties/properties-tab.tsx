import { Button, SegmentedControl } from '@mantine/core';
import type { PropertyOwner } from '@rapport/contract';
import { Link } from 'wouter';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { EventIcon } from '../../../shared/icons.tsx';
import { SearchBox } from '../../../shared/search-box.tsx';
import styles from '../../../shared/toolbar.module.css';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/events.ts';
import { EventNameSelect } from '../event-name-select.tsx';
import { PropertiesOfEvent } from './properties-of-event.tsx';
import { PropertiesOfOwner } from './properties-of-owner.tsx';

const owners = ['contact', 'user', 'organization'] as const satisfies PropertyOwner[];
const choices = [...owners.map((value) => ({ value, label: t[value] })), { value: 'event', label: t.ofEvent }];

/** The property catalogue: owners, types, frequency and values. */
export default function PropertiesTab() {
  const { param, setParam, clearing } = usePageParams();
  const of = param('of');
  const owner = owners.find((each) => each === of) ?? 'contact';
  const eventName = param('name');
  const isEvent = of === 'event';
  return (
    <>
      <Toolbar
        onClear={isEvent ? undefined : clearing('search')}
        end={
          isEvent &&
          eventName && (
            <Button
              component={Link}
              href={`/events?name=${encodeURIComponent(eventName)}`}
              variant="default"
              leftSection={<EventIcon />}
            >
              {t.watch}
            </Button>
          )
        }
      >
        <SegmentedControl
          aria-label={t.of}
          size="sm"
          data={choices}
          value={isEvent ? 'event' : owner}
          onChange={(value) => setParam('of', value === 'contact' ? undefined : value)}
        />
        {isEvent ? (
          <EventNameSelect
            placeholder={t.chooseEvent}
            className={styles.grow ?? ''}
            value={eventName}
            onChange={(name) => setParam('name', name)}
          />
        ) : (
          <SearchBox
            label={t.searchProperties}
            placeholder={t.searchPropertiesHint}
            value={param('search') ?? ''}
            onSearch={(value) => setParam('search', value)}
            className={styles.grow}
          />
        )}
      </Toolbar>
      {!isEvent && <PropertiesOfOwner owner={owner} />}
      {isEvent && eventName && <PropertiesOfEvent eventName={eventName} />}
      {isEvent && !eventName && (
        <EmptyState icon={<EventIcon size={20} />} title={t.chooseEvent} text={t.chooseEventText} />
      )}
    </>
  );
}
