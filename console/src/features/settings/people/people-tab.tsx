import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { listPeople } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { PeopleIcon, PlusIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { roleNames, t as settings } from '../../../texts/settings.ts';
import { t } from '../../../texts/settings-people.ts';
import { t as words } from '../../../texts/shared.ts';
import classes from '../settings.module.css';
import { TabHead } from '../tab-head.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import type { Person } from './person.ts';
import { PersonMenu } from './person-menu.tsx';

const columns: Column<Person>[] = [
  { id: 'name', title: t.name, cell: (person) => <Named person={person} />, width: '24%' },
  {
    id: 'email',
    title: t.email,
    cell: ({ email }) => email ?? words.empty,
    isEmpty: ({ email }) => email === null,
  },
  { id: 'role', title: t.role, cell: ({ role }) => <span className={classes.word}>{roleNames[role]}</span> },
  {
    id: 'state',
    title: t.state,
    cell: ({ state }) => <ToneBadge tone={state === 'active' ? 'good' : 'quiet'}>{t[state]}</ToneBadge>,
  },
  {
    id: 'factor',
    title: t.secondFactor,
    cell: ({ hasSecondFactor }) => (hasSecondFactor === null ? words.empty : hasSecondFactor ? t.has : t.hasNot),
    isEmpty: ({ hasSecondFactor }) => hasSecondFactor === null,
  },
  {
    id: 'seen',
    title: t.lastSeen,
    cell: ({ lastSeenAt }) => (lastSeenAt ? <Moment at={lastSeenAt} /> : words.empty),
    isEmpty: ({ lastSeenAt }) => lastSeenAt === null,
  },
];
const withActions: Column<Person>[] = [
  ...columns,
  {
    id: 'actions',
    title: settings.more,
    isUntitled: true,
    isIcon: true,
    width: '3.5rem',
    cell: (person) => <PersonMenu person={person} />,
  },
];

export default function PeopleTab() {
  const api = useApi();
  const { isAdmin, canWrite } = useRights();
  const { pageNumber, setPage } = usePageParams();
  const [inviting, dialog] = useDisclosure(false);
  const mayChange = isAdmin && canWrite;
  const query = useQuery({
    ...pageOf(api, listPeople, { query: { pageNumber, pageSize: 50 } }),
    ...pagedQuery,
  });
  return (
    <>
      <TabHead text={mayChange ? t.about : `${t.about} ${settings.askAdmin}`}>
        {mayChange && (
          <Button leftSection={<PlusIcon />} onClick={dialog.open} data-shortcut="create">
            {t.invite}
          </Button>
        )}
      </TabHead>
      <DataTable
        label={t.list}
        query={query}
        onPage={setPage}
        columns={mayChange ? withActions : columns}
        rowKey={({ accountId }) => String(accountId)}
        empty={<EmptyState icon={<PeopleIcon size={20} />} title={t.none} text={t.noneText} />}
      />
      {mayChange && <Invitations />}
      {inviting && <InviteDialog onClose={dialog.close} />}
    </>
  );
}

function Named({ person: { name, isYou, isPerson } }: { person: Person }) {
  return (
    <span className={classes.badges}>
      {name}
      {isYou && <ToneBadge tone="info">{t.you}</ToneBadge>}
      {!isPerson && <ToneBadge tone="quiet">{t.program}</ToneBadge>}
    </span>
  );
}
