// Whether the person gets the figures of the week by mail: a setting of their own.
import { Switch } from '@mantine/core';
import { type DataValue, getWeeklySummary, setWeeklySummary } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { useAction } from '../../shared/form/use-action.ts';
import { t } from '../../texts/reports.ts';

type Summary = DataValue<typeof getWeeklySummary>;

export function WeeklySummary() {
  const api = useApi();
  const queries = useQueryClient();
  const asked = dataOf(api, getWeeklySummary);
  const { data } = useQuery(asked);
  const choose = useAction({
    act: async (isOn: boolean) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return (await api.call(setWeeklySummary, { body: isOn ? { isOn, timeZone } : { isOn } })).data;
    },
    onDone: (chosen) => queries.setQueryData(asked.queryKey, chosen),
    said: ({ isOn }) => (isOn ? t.summaryOn : t.summaryOff),
    failed: t.summaryFailed,
  });
  if (!data) return null;
  return (
    <Switch
      label={t.summary}
      description={noteOf(data)}
      checked={data.isOn}
      disabled={choose.isPending || (data.obstacle !== null && !data.isOn)}
      onChange={(event) => choose.mutate(event.currentTarget.checked)}
    />
  );
}

function noteOf({ address, obstacle, timeZone, isOn }: Summary): string {
  if (obstacle !== null) return t.summaryObstacles[obstacle];
  return isOn ? t.summaryTo(address ?? '', timeZone) : t.summaryWould(address ?? '');
}
