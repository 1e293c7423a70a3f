import { useApi } from '../../../api/session/session.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { useGoOn } from '../../../shared/use-go-on.ts';
import { t } from '../../../texts/journeys.ts';
import { duplicateJourney } from './journeys-api.ts';

/** Creates a copy of the journey and opens it. */
export function useDuplicate(journeyId: string) {
  const api = useApi();
  const goOn = useGoOn();
  return useAction({
    act: () => duplicateJourney(api, journeyId),
    onDone: (made) => goOn(`/journeys/${made.journeyId}`),
    refresh: ['journeys'],
    said: ({ name }) => t.duplicated(name),
    failed: t.duplicateFailed,
  });
}
