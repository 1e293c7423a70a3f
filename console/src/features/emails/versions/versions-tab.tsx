import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { MailIcon, PlusIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import { SearchBox } from '../../../shared/search-box.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import toolbar from '../../../shared/toolbar.module.css';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/emails.ts';
import { t as words } from '../../../texts/versions.ts';
import type { Version } from '../email-api.ts';
import { versionsQuery } from '../email-queries.ts';
import { DeleteVersionDialog, versionDeletion } from './delete-version.tsx';
import { VersionDialog } from './version-dialog.tsx';
import classes from './versions-tab.module.css';
import { WriteVersionDialog } from './write-version-dialog.tsx';

export default function VersionsTab({ id }: { id: string }) {
  const api = useApi();
  const { canWrite } = useRights();
  const { pageNumber, setPage, param, setParam, clearing } = usePageParams();
  const [viewed, setViewed] = useState<Version>();
  const [doomed, setDoomed] = useState<Version>();
  const [isWriting, writing] = useDisclosure(false);
  const search = param('search');
  const query = useQuery({
    ...versionsQuery(api, id, search, pageNumber),
    ...pagedQuery,
  });
  return (
    <>
      <Toolbar
        onClear={clearing('search')}
        end={
          canWrite && (
            <Button leftSection={<PlusIcon />} data-shortcut="create" onClick={writing.open}>
              {words.write}
            </Button>
          )
        }
      >
        <SearchBox
          label={t.searchVersions}
          placeholder={t.searchVersionsHint}
          value={search ?? ''}
          onSearch={(value) => setParam('search', value.trim())}
          className={toolbar.grow}
        />
      </Toolbar>
      <DataTable
        query={query}
        label={t.versions}
        columns={canWrite ? [...columns, versionDeletion(setDoomed)] : columns}
        rowKey={({ contactId }) => contactId}
        onOpen={setViewed}
        onPage={setPage}
        empty={
          search ? (
            <EmptyState title={t.noSuchVersion} text={t.noSuchVersionText} />
          ) : (
            <EmptyState icon={<MailIcon size={20} />} title={t.everybodyDefault} text={t.everybodyDefaultText} />
          )
        }
      />
      {isWriting && <WriteVersionDialog of={{ assetId: id, contact: undefined }} onClose={writing.close} />}
      {viewed && <VersionDialog version={viewed} onClose={() => setViewed(undefined)} />}
      {doomed && <DeleteVersionDialog version={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  );
}

const columns: Column<Version>[] = [
  {
    id: 'contact',
    title: t.contact,
    cell: ({ email, subject }) => (
      <>
        {email}
        <span className={classes.subject}>{subject ?? t.sameSubject}</span>
      </>
    ),
  },
  {
    id: 'state',
    title: t.state,
    cell: ({ status }) => (
      <ToneBadge tone={status === 'ready' ? 'good' : 'warn'}>{status === 'ready' ? t.ready : t.expired}</ToneBadge>
    ),
  },
  {
    id: 'expires',
    title: t.expires,
    cell: ({ expiresAt }) => (expiresAt ? <Moment at={expiresAt} isAhead /> : t.never),
    width: '9rem',
  },
  { id: 'updated', title: t.updated, cell: ({ updatedAt }) => <Moment at={updatedAt} />, width: '9rem' },
];
