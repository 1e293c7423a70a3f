import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { FactDrawer } from '../../../shared/facts/fact-drawer.tsx';
import { FactList } from '../../../shared/facts/fact-list.tsx';
import { propertyText } from '../../../shared/property-text.ts';
import { exactTime } from '../../../shared/relative-time.ts';
import { t } from '../../../texts/events.ts';
import type { RecentEvent } from './merge-events.ts';

/** All properties of one event. */
export function EventDrawer({ event, onClose }: { event: RecentEvent | undefined; onClose: () => void }) {
  return (
    <FactDrawer title={event?.eventName} onClose={onClose}>
      {event && <EventDetails event={event} />}
    </FactDrawer>
  );
}

function EventDetails({ event }: { event: RecentEvent }) {
  const properties = Object.entries(event.eventProperties);
  return (
    <>
      <FactList
        facts={[
          {
            name: t.who,
            value: (
              <Anchor component={Link} href={`/contacts/${event.contactId}`}>
                {event.email}
              </Anchor>
            ),
          },
          { name: t.happened, value: exactTime(event.eventDate) },
          { name: t.arrived, value: event.receivedAt && exactTime(event.receivedAt) },
          { name: t.userId, value: event.userId },
          { name: t.orgId, value: event.orgId },
        ]}
      />
      <Text component="h3" fw={600} mt="lg" mb="xs">
        {t.details}
      </Text>
      {properties.length === 0 ? (
        <Text c="dimmed">{t.noProperties}</Text>
      ) : (
        <FactList facts={properties.map(([name, value]) => ({ name, value: propertyText(value), isCode: true }))} />
      )}
    </>
  );
}
