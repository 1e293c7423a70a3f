import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { t } from '../../../texts/journeys.ts';
import { removeJourney } from '../list/journeys-api.ts';

interface DeleteJourneyProps {
  journey: { journeyId: string; name: string };
  opened: boolean;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteJourney({ journey, opened, onClose, onDeleted }: DeleteJourneyProps) {
  const api = useApi();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeJourney(api, journey.journeyId),
    onSuccess: () => {
      notifications.show({ message: t.removed });
      onDeleted();
      queries.removeQueries(about('journeys', journey.journeyId));
      void queries.invalidateQueries(about('journeys'));
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      title={t.removeTitle(journey.name)}
      text={t.removeText}
      confirm={t.removeConfirm}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onCancel={close}
    />
  );
}
