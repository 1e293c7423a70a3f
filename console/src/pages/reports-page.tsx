// The results of everything that was sent. Period and switch are in the address, and carry over between reports.
import { type ComponentType, lazy, Suspense } from 'react';
import { byOf } from '../features/reports/by.ts';
import { BySwitch } from '../features/reports/by-switch.tsx';
import { EmailFilter, StatusFilter } from '../features/reports/filters.tsx';
import type { ReportProps } from '../features/reports/report-props.ts';
import OverviewTab from '../features/reports/tabs/overview-tab.tsx';
import { WeeklySummary } from '../features/reports/weekly-summary.tsx';
import { CsvButton } from '../shared/csv-button.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { NoPage } from '../shared/no-page.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { PageTabs, tabOf } from '../shared/page-tabs.tsx';
import { NoPeriod } from '../shared/period/no-period.tsx';
import { calendarBefore, intervalOf, queryText } from '../shared/period/period.ts';
import { PeriodPicker } from '../shared/period/period-picker.tsx';
import { usePeriod } from '../shared/period/use-period.ts';
import { Toolbar } from '../shared/toolbar.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/reports.ts';

type Tab = keyof typeof t.tabs;
const tabs = (Object.keys(t.tabs) as Tab[]).map((id) => ({ id, title: t.tabs[id] }));
const reports: Record<Tab, ComponentType<ReportProps>> = {
  overview: OverviewTab,
  sends: lazy(() => import('../features/reports/tabs/sends-tab.tsx')),
  journeys: lazy(() => import('../features/reports/tabs/journeys-tab.tsx')),
  emails: lazy(() => import('../features/reports/tabs/emails-tab.tsx')),
  links: lazy(() => import('../features/reports/tabs/links-tab.tsx')),
  domains: lazy(() => import('../features/reports/tabs/domains-tab.tsx')),
};

export default function ReportsPage({ params: { tab } }: PageParams) {
  const { param, setParam } = usePageParams();
  const { period, window, now, fault, set, usual } = usePeriod();
  const current = tabOf(tabs, tab);
  const by = byOf(param('by'));
  if (current === undefined) return <NoPage />;
  const kept = queryText({ period: param('period'), from: param('from'), to: param('to'), by: param('by') });
  const Report = reports[current];
  const sheet = current === 'sends' ? 'broadcasts' : current;
  const file = queryText({
    ...window,
    headers: 'titles',
    interval: current === 'overview' ? intervalOf(window) : undefined,
    emailId: current === 'links' ? param('email') : undefined,
    status: current === 'journeys' ? param('status') : undefined,
  });
  return (
    <Page
      title={t.title}
      windowTitle={`${t.tabs[current]} · ${t.title}`}
      lead={t.lead}
      actions={!fault && <CsvButton path={`/exports/stats/${sheet}${file}`} />}
    >
      <PageTabs label={t.parts} base="/reports" tabs={tabs} current={current} query={kept} />
      <Toolbar>
        <PeriodPicker period={period} usual={usual} set={set} />
        <BySwitch by={by} onChange={(value) => setParam('by', value === 'machines' ? value : undefined)} />
        {current === 'journeys' && (
          <StatusFilter value={param('status')} onChange={(value) => setParam('status', value)} />
        )}
        {current === 'links' && <EmailFilter value={param('email')} onChange={(value) => setParam('email', value)} />}
      </Toolbar>
      {fault ? (
        <NoPeriod fault={fault} />
      ) : (
        <Suspense fallback={<LoadingState label={t.tabs[current]} />}>
          <Report {...{ window, now, by }} periodKey={JSON.stringify(period)} before={calendarBefore(period, window)} />
        </Suspense>
      )}
      {current === 'overview' && <WeeklySummary />}
    </Page>
  );
}
