import { Alert, Button, Group, Text } from '@mantine/core';
import { getSending, resumeSending } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/ask.ts';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { useAction } from '../../shared/form/use-action.ts';
import { t } from '../../texts/messages.ts';

/** Says that mail is paused because too much bounced, and how to resume. Renders nothing otherwise. */
export function PausedNotice() {
  const api = useApi();
  const { canWrite } = useRights();
  const { data } = useQuery({
    ...dataOf(api, getSending),
    staleTime: 30_000,
  });
  const resume = useAction({ act: () => api.call(resumeSending), refresh: ['sending'], said: t.resumed });
  if (data?.state !== 'paused') return null;
  return (
    <Alert color="yellow" title={t.paused} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t.pausedText(data.reason ?? '')}</Text>
        {canWrite && (
          <Button size="xs" loading={resume.isPending} onClick={() => resume.mutate()}>
            {t.resume}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
