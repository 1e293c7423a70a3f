import { lazy, Suspense } from 'react';
import { EmptyState } from '../shared/empty-state.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { PageTabs, tabOf } from '../shared/page-tabs.tsx';
import { t } from '../texts/events.ts';
import { t as words } from '../texts/shared.ts';

const LiveTab = lazy(() => import('../features/events/live/live-tab.tsx'));
const NamesTab = lazy(() => import('../features/events/names/names-tab.tsx'));
const PropertiesTab = lazy(() => import('../features/events/properties/properties-tab.tsx'));

const tabs = [
  { id: 'live', title: t.live, Tab: LiveTab },
  { id: 'names', title: t.names, Tab: NamesTab },
  { id: 'properties', title: t.properties, Tab: PropertiesTab },
] as const;

export default function EventsPage({ params: { tab } }: PageParams) {
  const current = tabOf(tabs, tab);
  const Tab = tabs.find(({ id }) => id === current)?.Tab;
  return (
    <Page title={t.title} lead={current === 'properties' ? t.propertiesLead : t.lead}>
      <PageTabs label={t.tabs} base="/events" tabs={tabs} current={current ?? 'live'} />
      <Suspense fallback={<LoadingState label={words.loading} />}>
        {Tab ? <Tab /> : <EmptyState title={words.noPage} text={words.noPageText} />}
      </Suspense>
    </Page>
  );
}
