import { ActionIcon } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useRights } from '../api/session/rights.ts';
import type { Contact } from '../features/contacts/use-contact-view.ts';
import { DuplicateStaticDialog } from '../features/lists/actions/duplicate-dialogs.tsx';
import { ListMenuItems } from '../features/lists/actions/list-menu-items.tsx';
import { StartJourneyDialog } from '../features/lists/actions/start-journey-dialog.tsx';
import { GrowthTab } from '../features/lists/growth/growth-tab.tsx';
import { MembersTable } from '../features/lists/members/members-table.tsx';
import { StaticListActions } from '../features/lists/static/static-list-actions.tsx';
import { type StaticList, useRemoveMember, useStaticList } from '../features/lists/static/static-list-api.ts';
import { BackLink } from '../shared/back-link.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { useFolders } from '../shared/folders/use-folders.ts';
import { CloseIcon, PeopleIcon } from '../shared/icons.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { PageTabs, tabOf } from '../shared/page-tabs.tsx';
import type { Column } from '../shared/table/column.ts';
import { t } from '../texts/lists.ts';
import { t as shared } from '../texts/shared.ts';

const tabs = [
  { id: 'members', title: t.members },
  { id: 'growth', title: t.growth },
] as const;

export default function StaticListPage({ params: { id = '', tab } }: PageParams) {
  const { canWrite } = useRights();
  const { data: list, error, refetch } = useStaticList(id);
  const folders = useFolders();
  const { mutate: remove } = useRemoveMember(id);
  const more = useMemo(() => (canWrite ? [removal(remove)] : []), [canWrite, remove]);
  const [dialog, setDialog] = useState<'journey' | 'duplicate'>();
  const key = useMemo(() => ({ staticListId: id }), [id]);
  const current = tabOf(tabs, tab);
  const above = <BackLink href="/lists" label={t.lists} />;
  const close = () => setDialog(undefined);
  if (error && !list)
    return (
      <Page title={t.staticList} above={above}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  const items = (
    <ListMenuItems list={key} onStartJourney={() => setDialog('journey')} onDuplicate={() => setDialog('duplicate')} />
  );
  return (
    <Page
      title={list?.name ?? t.staticList}
      above={above}
      lead={list ? leadOf(list, folders.nameOf(list.directoryId ?? null)) : t.staticList}
      actions={list && canWrite && <StaticListActions list={list} more={items} />}
    >
      <PageTabs label={t.tabs} base={`/lists/static/${id}`} tabs={tabs} current={current ?? 'members'} />
      {current === 'members' &&
        (list ? (
          <MembersTable
            {...{ list: key, more }}
            name={list.name}
            size={list.numRecords}
            empty={
              <EmptyState
                icon={<PeopleIcon size={20} />}
                title={t.noMembers}
                text={canWrite ? t.noMembersText : shared.addedByOthers}
              />
            }
          />
        ) : (
          <LoadingState label={t.members} />
        ))}
      {current === 'growth' && <GrowthTab list={key} />}
      {!current && <EmptyState title={shared.noPage} text={shared.noPageText} />}
      {list && dialog === 'journey' && <StartJourneyDialog list={key} name={list.name} onClose={close} />}
      {list && dialog === 'duplicate' && (
        <DuplicateStaticDialog id={id} name={list.name} size={list.numRecords} onClose={close} />
      )}
    </Page>
  );
}

function leadOf({ numRecords }: StaticList, folder: string | undefined): string {
  return [t.staticList, t.memberCount(numRecords), ...(folder ? [t.inFolder(folder)] : [])].join(' · ');
}

function removal(remove: (contact: Contact) => void): Column<Contact> {
  return {
    id: 'remove',
    title: t.removeColumn,
    isUntitled: true,
    isIcon: true,
    width: '3.5rem',
    cell: (contact) => (
      <ActionIcon variant="subtle" color="gray" aria-label={t.remove(contact.email)} onClick={() => remove(contact)}>
        <CloseIcon size={14} />
      </ActionIcon>
    ),
  };
}
