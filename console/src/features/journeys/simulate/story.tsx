// What happens to one contact in a simulation, with every email as it looks on its date.
import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { EyeIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-simulation.ts';
import { useCanvasWorld } from '../canvas/canvas-context.ts';
import { Detail } from '../enrolments/enrolment-timeline.tsx';
import { tellDetail, withoutEchoes } from '../enrolments/say-entry.ts';
import { stepOf } from '../model/edit.ts';
import { sayStep } from '../model/say.ts';
import { sayMoment } from './clock.ts';
import { useContactName } from './contact-name.tsx';
import { type DatedEmail, EmailDialog } from './email-dialog.tsx';
import classes from './people-list.module.css';
import { isMail, type Note, type Trip } from './run.ts';
import type { Playback } from './use-playback.ts';

interface StoryProps {
  trip: Trip;
  playback: Playback;
  onStop: () => void;
}

export function Story({ trip, playback, onStop }: StoryProps) {
  const name = useContactName(trip.contactId);
  const [email, setEmail] = useState<DatedEmail>();
  const told = withoutEchoes(trip.notes);
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>{t.storyOf(name)}</Text>
        <Button variant="default" size="xs" onClick={onStop}>
          {t.stopFollowing}
        </Button>
      </Group>
      <ol className={classes.story} aria-label={t.storyOf(name)}>
        {told.map((note, at) => (
          <Told
            // biome-ignore lint/suspicious/noArrayIndexKey: notes stand in their order and never move
            key={at}
            note={note}
            trip={trip}
            playback={playback}
            onEmail={setEmail}
          />
        ))}
      </ol>
      {email && <EmailDialog email={email} name={name} onClose={() => setEmail(undefined)} />}
    </div>
  );
}

interface ToldProps {
  note: Note;
  trip: Trip;
  playback: Playback;
  onEmail: (email: DatedEmail) => void;
}

function Told({ note, trip, playback, onEmail }: ToldProps) {
  const { definition, names } = useCanvasWorld();
  const step = stepOf(definition, note.stepId);
  const at = Date.parse(note.at);
  const mail = note.what === 'message' ? mailOf(note, trip) : undefined;
  const emailId = step?.type === 'sendEmail' ? step.emailId : undefined;
  const said = step && sayStep(step, names);
  const detail = tellDetail(
    note,
    (id) => names.lists?.get(id) ?? names.topics?.get(id) ?? names.forms?.get(id) ?? names.journeys?.get(id),
  );
  const title =
    note.what === 'message' || note.what === 'step' ? [said?.title, said?.detail].filter(Boolean).join(': ') : '';
  return (
    <li className={classes.note} data-mail={mail ? true : undefined} data-future={at > playback.at || undefined}>
      <UnstyledButton className={classes.when} aria-label={t.jumpTo(sayMoment(at))} onClick={() => playback.seek(at)}>
        {sayMoment(at)}
      </UnstyledButton>
      <div>{title || t.what[note.what]}</div>
      {detail.length > 0 && (
        <div className={classes.detail}>
          <Detail parts={detail} />
        </div>
      )}
      {mail && emailId && (
        <Button
          variant="default"
          size="xs"
          mt={4}
          leftSection={<EyeIcon size={14} />}
          onClick={() => onEmail({ emailId, contactId: trip.contactId, at: mail.at })}
        >
          {t.seeEmail}
        </Button>
      )}
    </li>
  );
}

/** The one that this note is about: messages stand in their order. */
function mailOf(note: Note, { notes, mails }: Trip): Trip['mails'][number] | undefined {
  return mails[notes.filter(isMail).indexOf(note)];
}
