// Actions on a journey from the list.
import { Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useRights } from '../../../api/session/rights.ts';
import { Modal } from '../../../shared/dialog.tsx';
import { ChartIcon, CopyIcon, EditIcon, TrashIcon } from '../../../shared/icons.tsx';
import { MoreMenu } from '../../../shared/more-menu.tsx';
import { t } from '../../../texts/journeys.ts';
import { DeleteJourney } from '../details/delete-journey.tsx';
import { DetailsForm } from '../details/details-form.tsx';
import type { JourneyRow } from './journeys-api.ts';
import { useDuplicate } from './use-duplicate.ts';

export function JourneyMenu({ journey }: { journey: JourneyRow }) {
  const { canWrite } = useRights();
  const [shown, setShown] = useState<'details' | 'delete'>();
  const { journeyId, name, status } = journey;
  const close = () => setShown(undefined);
  const duplicate = useDuplicate(journeyId);
  return (
    <>
      <MoreMenu label={t.actions(name)} isBusy={duplicate.isPending}>
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
              {t.remove}
              {status === 'active' && (
                <Text size="xs" c="dimmed">
                  {t.stopFirst}
                </Text>
              )}
            </Menu.Item>
          </>
        )}
      </MoreMenu>
      {shown === 'details' && (
        <Modal opened onClose={close} title={name}>
          <DetailsForm journey={journey} onClose={close} />
        </Modal>
      )}
      {shown === 'delete' && <DeleteJourney journey={journey} onClose={close} />}
    </>
  );
}
