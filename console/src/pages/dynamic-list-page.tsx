import { Alert, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useRights } from '../api/session/rights.ts';
import classes from '../features/audiences/list/dynamic-list.module.css';
import { FilterTab } from '../features/audiences/list/filter-tab.tsx';
import { ListActions } from '../features/audiences/list/list-actions.tsx';
import { type DynamicList, useDynamicList } from '../features/audiences/list/list-api.ts';
import { UsageTab } from '../features/audiences/list/usage-tab.tsx';
import { WhyTab } from '../features/audiences/list/why-tab.tsx';
import { DuplicateDynamicDialog } from '../features/lists/actions/duplicate-dialogs.tsx';
import { ListMenuItems } from '../features/lists/actions/list-menu-items.tsx';
import { StartJourneyDialog } from '../features/lists/actions/start-journey-dialog.tsx';
import { GrowthTab } from '../features/lists/growth/growth-tab.tsx';
import { MembersTable } from '../features/lists/members/members-table.tsx';
import { BackLink } from '../shared/back-link.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { PeopleIcon } from '../shared/icons.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { PageTabs, tabOf } from '../shared/page-tabs.tsx';
import { ToneBadge } from '../shared/tone-badge.tsx';
import { t } from '../texts/audience.ts';
import { t as words } from '../texts/lists.ts';
import { counted } from '../texts/numbers.ts';
import { t as shared } from '../texts/shared.ts';

const tabs = [
  { id: 'members', title: t.members },
  { id: 'growth', title: words.growth },
  { id: 'filter', title: t.filter },
  { id: 'why', title: t.why },
  { id: 'usage', title: t.usedBy },
] as const;

export default function DynamicListPage({ params: { id = '', tab } }: PageParams) {
  const { canWrite, me } = useRights();
  const query = useDynamicList(id);
  const [dialog, setDialog] = useState<'journey' | 'duplicate'>();
  const close = () => setDialog(undefined);
  const key = useMemo(() => ({ dynamicListId: id }), [id]);
  const current = tabOf(tabs, tab);
  const list = query.data;
  if (query.error && !list)
    return (
      <Page title={t.dynamicList} above={<BackLink href="/lists" label={t.lists} />}>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Page>
    );
  const isBuilding = list?.state === 'building';
  return (
    <Page
      title={list?.name ?? t.dynamicList}
      above={<BackLink href="/lists" label={t.lists} />}
      lead={list && <Lead list={list} />}
      actions={
        list &&
        canWrite && (
          <ListActions
            list={list}
            more={
              <ListMenuItems
                list={key}
                onStartJourney={() => setDialog('journey')}
                onDuplicate={() => setDialog('duplicate')}
              />
            }
          />
        )
      }
    >
      <PageTabs label={t.tabs} base={`/lists/dynamic/${id}`} tabs={tabs} current={current ?? 'members'} />
      {list && list.warnings.length > 0 && current !== 'why' && (
        <Alert color="yellow" title={t.warnings}>
          {list.warnings.map((warning) => (
            <div key={warning}>{warning}</div>
          ))}
        </Alert>
      )}
      {current === 'members' &&
        (list ? (
          <MembersTable
            {...{ list: key, isBuilding }}
            name={list.name ?? ''}
            size={list.memberCount}
            empty={<EmptyState icon={<PeopleIcon size={20} />} title={t.noMembers} text={t.noMembersText} />}
          />
        ) : (
          <LoadingState label={t.members} />
        ))}
      {current === 'growth' && <GrowthTab list={key} />}
      {current === 'filter' && (list && me ? <FilterTab key={id} list={list} /> : <LoadingState label={t.filter} />)}
      {current === 'why' && <WhyTab id={id} />}
      {current === 'usage' && <UsageTab id={id} />}
      {!current && <EmptyState title={shared.noPage} text={shared.noPageText} />}
      {list && dialog === 'journey' && <StartJourneyDialog list={key} name={list.name ?? ''} onClose={close} />}
      {list && dialog === 'duplicate' && <DuplicateDynamicDialog list={list} onClose={close} />}
    </Page>
  );
}

/** Its size, its freshness, and its purpose. */
function Lead({ list }: { list: DynamicList }) {
  const { memberCount, state, computedAt, lagSeconds, description } = list;
  return (
    <>
      {description && <Text>{description}</Text>}
      <div className={classes.facts}>
        <span>{counted(memberCount, t.contactsOne, t.contacts)}</span>
        {state === 'building' ? (
          <ToneBadge tone="info">{t.building}</ToneBadge>
        ) : lagSeconds > 60 ? (
          <ToneBadge tone="warn">{t.behind(Math.round(lagSeconds))}</ToneBadge>
        ) : (
          <ToneBadge tone="good">{t.fresh}</ToneBadge>
        )}
        {computedAt && (
          <span>
            {t.computed} <Moment at={computedAt} />
          </span>
        )}
      </div>
    </>
  );
}
