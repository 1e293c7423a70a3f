// The results of a journey: its contacts, its messages, step by step, arm by arm, and compared with the holdout.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { CsvButton } from '../../../shared/csv-button.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { Definition } from '../../../shared/figure.tsx';
import { ChartIcon } from '../../../shared/icons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { NoPeriod } from '../../../shared/period/no-period.tsx';
import { queryText } from '../../../shared/period/period.ts';
import { PeriodPicker } from '../../../shared/period/period-picker.tsx';
import { usePeriod } from '../../../shared/period/use-period.ts';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/journeys.ts';
import { byOf } from '../../reports/by.ts';
import { BySwitch } from '../../reports/by-switch.tsx';
import { useAssets } from '../editing/use-assets.ts';
import type { JourneyRecord } from '../journey-api.ts';
import { stepNamesOf } from '../model/step-names.ts';
import { funnelQuery, reportQuery } from '../tab-queries.ts';
import { Funnel } from './funnel.tsx';
import { Holdout } from './holdout.tsx';
import { JourneyFigures } from './journey-figures.tsx';
import classes from './report-tab.module.css';
import { EmailTable, SplitTable } from './tables.tsx';

export default function ReportTab({ journey }: { journey: JourneyRecord }) {
  const api = useApi();
  const { param, setParam } = usePageParams();
  const { names } = useAssets();
  const { period, window, fault, set, usual } = usePeriod('all');
  const by = byOf(param('by'));
  const { journeyId: id } = journey;
  const hasPeriod = !fault;
  const asked = { placeholderData: keepPreviousData, enabled: hasPeriod };
  const stats = useQuery({ ...reportQuery(api, id, period, window), ...asked });
  const funnel = useQuery({ ...funnelQuery(api, id, period, window), ...asked });
  const error = stats.error ?? funnel.error;
  const retry = () => void Promise.all([stats.refetch(), funnel.refetch()]);
  const { data } = stats;
  const steps = stepNamesOf(journey.definition, names);
  const nameOf = (stepId: string) => data?.steps.find((step) => step.stepId === stepId)?.name ?? stepId;
  return (
    <>
      <Toolbar
        end={
          hasPeriod && <CsvButton path={`/exports/stats/funnel/${id}${queryText({ ...window, headers: 'titles' })}`} />
        }
      >
        <PeriodPicker period={period} usual={usual} set={set} withAll />
        <BySwitch by={by} onChange={(value) => setParam('by', value === 'machines' ? value : undefined)} />
      </Toolbar>
      {error && <ErrorState error={error} onRetry={retry} compact={data !== undefined} />}
      {fault && <NoPeriod fault={fault} />}
      {hasPeriod && !data && !error && <LoadingState label={t.reportOf} />}
      {hasPeriod && data && (
        <div className={classes.stack} aria-busy={stats.isPlaceholderData}>
          <JourneyFigures stats={data} by={by} />
          <Card title={t.funnel} actions={<Definition of={t.funnel} text={t.funnelText} />} isFlush>
            {funnel.data && <Funnel steps={funnel.data} names={steps} />}
          </Card>
          {data.holdout && (
            <Card title={t.holdout} actions={<Definition of={t.holdout} text={t.holdoutText} />}>
              <Holdout holdout={data.holdout} />
            </Card>
          )}
          {data.splits.map((split) => (
            <SplitTable key={split.stepId} split={split} name={nameOf(split.stepId)} by={by} />
          ))}
          {data.emails.length > 0 ? (
            <EmailTable emails={data.emails} by={by} />
          ) : (
            <Card>
              <EmptyState icon={<ChartIcon size={20} />} title={t.noEmails} text="" />
            </Card>
          )}
        </div>
      )}
    </>
  );
}
