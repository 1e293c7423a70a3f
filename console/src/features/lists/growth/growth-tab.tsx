import { SegmentedControl, Stack, Text } from '@mantine/core';
import { type DataValue, getDynamicListGrowth, getListGrowth } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { dayName } from '../../../shared/chart/day-name.ts';
import { TimeChart } from '../../../shared/chart/time-chart.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/lists.ts';
import { idOf, isStatic, type ListKey } from '../list-key.ts';
import { Movements } from './movements.tsx';

/** How a list grows: its size by day, and who joined and left this week. */
export function GrowthTab({ list }: { list: ListKey }) {
  const api = useApi();
  const { param, setParam } = usePageParams();
  const params = { id: idOf(list) };
  const { data, error, refetch } = useQuery(
    isStatic(list) ? dataOf(api, getListGrowth, { params }) : dataOf(api, getDynamicListGrowth, { params }),
  );
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const what = param('moved') === 'left' ? 'left' : 'joined';
  return (
    <Stack gap="md">
      <Card title={t.size}>{data ? <Sizes {...data} /> : <LoadingState label={t.growth} />}</Card>
      <Card title={t.thisWeek}>
        <Stack gap="sm">
          {data && (
            <SegmentedControl
              aria-label={t.thisWeek}
              value={what}
              onChange={(next) => setParam('moved', next === 'left' ? 'left' : undefined)}
              data={[
                { value: 'joined', label: t.joinedCount(data.joined) },
                { value: 'left', label: t.leftCount(data.left) },
              ]}
            />
          )}
          <Movements key={what} list={list} what={what} />
        </Stack>
      </Card>
    </Stack>
  );
}

function Sizes({ days, members }: DataValue<typeof getListGrowth>) {
  if (days.length === 0) return <Text c="dimmed">{t.noSizes(members)}</Text>;
  // Of today there is a record, and the size now: one day is one point.
  const now = new Date().toISOString();
  const all = [...days.filter(({ day }) => day !== now.slice(0, 10)), { day: now, members }];
  return (
    <TimeChart
      label={t.size}
      times={all.map(({ day }) => day)}
      timeName={dayName}
      series={[{ name: t.contacts, colour: 'accent', values: all.map((each) => each.members) }]}
    />
  );
}
