// What can be done with a journey from the list.
import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { about } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { ChartIcon, CopyIcon, EditIcon, MoreIcon, TrashIcon } from '../../../shared/icons.tsx';
import { useGoOn } from '../../../shared/use-go-on.ts';
import { t } from '../../../texts/journeys.ts';
import { noTransition } from '../../../theme/theme.ts';
import { DeleteJourney } from '../details/delete-journey.tsx';
import { DetailsForm } from '../details/details-form.tsx';
import { duplicateJourney, type JourneyRow } from './journeys-api.ts';

export function JourneyMenu({ journey }: { journey: JourneyRow }) {
  const api = useApi();
  const queries = useQueryClient();
  const { canWrite } = useRights();
  const goOn = useGoOn();
  const [shown, setShown] = useState<'details' | 'delete'>();
  const { journeyId, name, status } = journey;
  const close = () => setShown(undefined);
  const duplicate = useMutation({
    mutationFn: () => duplicateJourney(api, journeyId),
    onSuccess: (made) => {
      notifications.show({ message: t.duplicated(made.name) });
      void queries.invalidateQueries(about('journeys'));
      goOn(`/journeys/${made.journeyId}`);
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: t.duplicateFailed, message }),
  });
  return (
    <>
      <Menu position="bottom-end" withinPortal {...noTransition}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t.actions(name)} loading={duplicate.isPending}>
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} href={`/journeys/${journeyId}/report`} leftSection={<ChartIcon />}>
            {t.report}
          </Menu.Item>
          {canWrite && (
            <>
              <Menu.Item leftSection={<EditIcon />} onClick={() => setShown('details')}>
                {t.details}
              </Menu.Item>
              <Menu.Item leftSection={<CopyIcon />} disabled={duplicate.isPending} onClick={() => duplicate.mutate()}>
                {t.duplicate}
              </Menu.Item>
              <Menu.Item
                leftSection={<TrashIcon />}
                color="red"
                disabled={status === 'active'}
                onClick={() => setShown('delete')}
              >
                {status === 'active' ? t.stopFirst : t.remove}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={shown === 'details'} onClose={close} title={name}>
        <DetailsForm journey={journey} onSaved={close} />
      </Modal>
      <DeleteJourney journey={journey} opened={shown === 'delete'} onClose={close} onDeleted={close} />
    </>
  );
}
