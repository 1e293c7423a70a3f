import { type ComponentType, lazy, Suspense } from 'react';
import { useRights } from '../api/session/rights.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { PageTabs, tabOf } from '../shared/page-tabs.tsx';
import { t } from '../texts/settings.ts';
import { branding } from '../texts/settings-branding.ts';
import { t as words } from '../texts/shared.ts';

const tab = <const Id extends string>(id: Id, title: string, load: () => Promise<{ default: ComponentType }>) => ({
  id,
  title,
  Tab: lazy(load),
});

const tabs = [
  tab('workspace', t.workspace, () => import('../features/settings/workspace/workspace-tab.tsx')),
  tab('branding', branding.title, () => import('../features/settings/branding/branding-tab.tsx')),
  tab('people', t.people, () => import('../features/settings/people/people-tab.tsx')),
  tab('tokens', t.tokens, () => import('../features/settings/tokens/tokens-tab.tsx')),
  tab('apps', t.apps, () => import('../features/settings/apps/apps-tab.tsx')),
  tab('domains', t.domains, () => import('../features/settings/domains/domains-tab.tsx')),
  tab('transport', t.transport, () => import('../features/settings/transport/transport-tab.tsx')),
  tab('hooks', t.hooks, () => import('../features/settings/hooks/hooks-tab.tsx')),
  tab('alerts', t.alerts, () => import('../features/settings/alerts/alerts-tab.tsx')),
  tab('sso', t.sso, () => import('../features/settings/sso/sso-tab.tsx')),
  tab('audit', t.audit, () => import('../features/settings/audit/audit-tab.tsx')),
];

export default function SettingsPage({ params: { tab: named } }: PageParams) {
  const { me } = useRights();
  const current = tabOf(tabs, named);
  const found = tabs.find(({ id }) => id === current);
  return (
    <Page
      title={t.title}
      windowTitle={found ? `${found.title} · ${t.title}` : t.title}
      lead={me && t.lead(me.workspace.name)}
    >
      <PageTabs label={t.tabs} base="/settings" tabs={tabs} current={current ?? ''} />
      <Suspense key={current} fallback={<LoadingState label={words.loading} />}>
        {found ? <found.Tab /> : <EmptyState title={words.noPage} text={words.noPageText} />}
      </Suspense>
    </Page>
  );
}
