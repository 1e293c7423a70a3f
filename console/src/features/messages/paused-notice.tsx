import { Alert, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { getSending, resumeSending } from '@rapport/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { about, dataOf } from '../../api/ask.ts';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { t } from '../../texts/messages.ts';

/** Mail that waits because too much came back, with the way to go on. Nothing while mail leaves. */
export function PausedNotice() {
  const api = useApi();
  const queries = useQueryClient();
  const { canWrite } = useRights();
  const { data } = useQuery({
    ...dataOf(api, getSending),
    staleTime: 30_000,
  });
  const resume = useMutation({
    mutationFn: () => api.call(resumeSending),
    onSuccess: async () => {
      notifications.show({ message: t.resumed });
      await queries.invalidateQueries(about('sending'));
    },
    onError: (error) => notifications.show({ message: error.message, color: 'red' }),
  });
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
