import { Button, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/journey-simulation.ts';
import { useContactName } from './contact-name.tsx';
import classes from './people-list.module.css';
import type { Trip } from './run.ts';

const shownAtOnce = 8;

interface PeopleListProps {
  trips: readonly Trip[];
  at: number;
  onFollow: (trip: Trip) => void;
}

/** The participants; a click follows one of them. */
export function PeopleList({ trips, at, onFollow }: PeopleListProps) {
  const [shown, setShown] = useState(shownAtOnce);
  return (
    <div>
      <ul className={classes.people} aria-label={t.follow}>
        {trips.slice(0, shown).map((trip) => (
          <Person key={`${trip.contactId} ${trip.enteredAt}`} trip={trip} at={at} onFollow={() => onFollow(trip)} />
        ))}
      </ul>
      {trips.length > shown && (
        <Button variant="subtle" size="xs" color="gray" onClick={() => setShown(shown + 20)}>
          {t.morePeople}
        </Button>
      )}
    </div>
  );
}

function Person({ trip, at, onFollow }: { trip: Trip; at: number; onFollow: () => void }) {
  const name = useContactName(trip.contactId);
  const hasEnded = trip.endedAt !== null && trip.endedAt <= at;
  const state = hasEnded ? (trip.endedAs ?? 'none') : 'none';
  return (
    <li>
      <UnstyledButton className={classes.person} onClick={onFollow}>
        <span>{name}</span>
        <ToneBadge tone={state === 'completed' ? 'good' : state === 'exited' ? 'quiet' : 'info'}>
          {t.ended[state]}
        </ToneBadge>
      </UnstyledButton>
    </li>
  );
}
