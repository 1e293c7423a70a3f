import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/session/session.tsx';
import { Card } from '../../shared/card.tsx';
import { dayName } from '../../shared/chart/day-name.ts';
import { TimeChart } from '../../shared/chart/time-chart.tsx';
import { ErrorState } from '../../shared/error-state.tsx';
import { t } from '../../texts/forms.ts';
import { daysQuery, type Form } from './form-api.ts';

/** How often the form was seen and sent, day by day. Nothing until it was. */
export function FormDays({ form: { formId, counts } }: { form: Form }) {
  const api = useApi();
  const isUsed = counts.viewed + counts.submitted + counts.refused > 0;
  const { data, error, refetch } = useQuery({ ...daysQuery(api, formId), enabled: isUsed });
  if (!isUsed) return null;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} compact />;
  if (!data) return null;
  const valuesOf = (what: keyof typeof counts) => data.days.map((day) => day[what]);
  return (
    <Card title={t.countsOverTime}>
      <TimeChart
        label={t.countsOverTime}
        times={data.days.map(({ day }) => day)}
        timeName={dayName}
        series={[
          { name: t.viewed, colour: 'quiet', values: valuesOf('viewed') },
          { name: t.submitted, colour: 'accent', values: valuesOf('submitted') },
          { name: t.confirmed, colour: 'good', values: valuesOf('confirmed') },
          { name: t.refused, colour: 'bad', values: valuesOf('refused') },
        ]}
      />
    </Card>
  );
}
