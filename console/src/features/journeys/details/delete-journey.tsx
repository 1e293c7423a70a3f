import { useQueryClient } from '@tanstack/react-query';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { t } from '../../../texts/journeys.ts';
import { removeJourney } from '../list/journeys-api.ts';

interface DeleteJourneyProps {
  journey: { journeyId: string; name: string };
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteJourney({ journey: { journeyId, name }, onClose, onDeleted }: DeleteJourneyProps) {
  const api = useApi();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={t.removeTitle(name)}
      text={t.removeText}
      confirm={t.removeConfirm}
      act={() => removeJourney(api, journeyId)}
      onDone={() => {
        onDeleted?.();
        queries.removeQueries(about('journeys', journeyId));
      }}
      refresh={['journeys']}
      said={t.removed}
      onClose={onClose}
    />
  );
}
