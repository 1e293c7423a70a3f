// Takes one person out of a journey, or past a wait: from their own page, and from the journey's list of people.
import { Button, Menu } from '@mantine/core';
import { skipEnrolmentWait, takeOutEnrolment } from '@rapport/contract';
import { useState } from 'react';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { ChevronRightIcon, LeaveIcon } from '../../../shared/icons.tsx';
import { MoreMenu } from '../../../shared/more-menu.tsx';
import { t } from '../../../texts/journeys.ts';
import { useStepTypes } from '../use-step-names.ts';
import type { EnrolmentRow } from './enrolment-columns.tsx';

type Person = Pick<EnrolmentRow, 'enrolmentId' | 'state' | 'stepId' | 'version' | 'dueAt'> & {
  email?: string | null | undefined;
};

interface MoveProps {
  journeyId: string;
  /** The current definition of the journey. */
  definition: unknown;
  person: Person;
}

/** `isWaiting`: at a step that can be skipped, and not about to go on. */
function useMoves({ journeyId, definition, person }: MoveProps) {
  const api = useApi();
  const { canWrite } = useRights();
  const typeOf = useStepTypes(journeyId, definition);
  const [isAsking, setAsking] = useState(false);
  const { enrolmentId, state, stepId, version } = person;
  const params = { id: journeyId, enrolmentId };
  const skip = useAction({
    act: () => api.call(skipEnrolmentWait, { params, body: { stepId: stepId ?? '' } }),
    refresh: ['journeys', 'contacts'],
    said: t.waitSkipped,
    failed: t.notMoved,
  });
  const type = stepId === null ? undefined : typeOf(version, stepId);
  const dialog = isAsking && (
    <ConfirmDialog
      title={t.takeOutTitle(person.email ?? t.thisContact)}
      text={t.takeOutText}
      confirm={t.takeOutConfirm}
      act={() => api.call(takeOutEnrolment, { params })}
      refresh={['journeys', 'contacts', 'messages']}
      said={t.takenOut}
      onClose={() => setAsking(false)}
    />
  );
  return {
    isOffered: canWrite && state === 'active',
    isWaiting: (type === 'delay' || type === 'waitUntil') && !isDue(person),
    skip,
    ask: () => setAsking(true),
    dialog,
  };
}

/** They are about to go on. */
export function isDue({ state, dueAt }: Pick<Person, 'state' | 'dueAt'>): boolean {
  return state === 'active' && dueAt !== null && Date.parse(dueAt) <= Date.now();
}

export function MoveButtons(props: MoveProps) {
  const { isOffered, isWaiting, skip, ask, dialog } = useMoves(props);
  return (
    <>
      {isOffered && isWaiting && (
        <Button
          variant="default"
          leftSection={<ChevronRightIcon />}
          loading={skip.isPending}
          onClick={() => skip.mutate()}
        >
          {t.skipWait}
        </Button>
      )}
      {isOffered && (
        <Button variant="default" leftSection={<LeaveIcon />} onClick={ask}>
          {t.takeOut}
        </Button>
      )}
      {dialog}
    </>
  );
}

export function MoveMenu(props: MoveProps) {
  const { isOffered, isWaiting, skip, ask, dialog } = useMoves(props);
  return (
    <>
      {isOffered && (
        <MoreMenu label={t.actions(props.person.email ?? t.thisContact)} isBusy={skip.isPending}>
          {isWaiting && (
            <Menu.Item leftSection={<ChevronRightIcon />} onClick={() => skip.mutate()}>
              {t.skipWait}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<LeaveIcon />} onClick={ask}>
            {t.takeOut}
          </Menu.Item>
        </MoreMenu>
      )}
      {dialog}
    </>
  );
}
