// Whether the person gets alerts by mail: a setting of their own.
import { Switch } from '@mantine/core';
import { getAlertMail, setAlertMail } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { t } from '../../../texts/alerts.ts';

export function AlertMail() {
  const api = useApi();
  const queries = useQueryClient();
  const asked = dataOf(api, getAlertMail);
  const { data } = useQuery(asked);
  const choose = useAction({
    act: async (isOn: boolean) => (await api.call(setAlertMail, { body: { isOn } })).data,
    onDone: (chosen) => queries.setQueryData(asked.queryKey, chosen),
    said: ({ isOn }) => (isOn ? t.mailOn : t.mailOff),
    failed: t.mailFailed,
  });
  if (!data) return null;
  const { isOn, address, obstacle } = data;
  return (
    <Switch
      label={t.mail}
      description={obstacle === null ? t.mailTo(address ?? '') : t.obstacles[obstacle]}
      checked={isOn}
      disabled={choose.isPending || (obstacle !== null && !isOn)}
      onChange={(event) => choose.mutate(event.currentTarget.checked)}
    />
  );
}
