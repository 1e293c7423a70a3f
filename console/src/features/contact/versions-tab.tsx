import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getContact, listVersions } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, pageOf } from '../../api/ask.ts';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { MailIcon, PlusIcon } from '../../shared/icons.tsx';
import { Moment } from '../../shared/moment.tsx';
import { type Names, useEmailNames } from '../../shared/names/use-names.ts';
import type { Column } from '../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../shared/table/data-table.tsx';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { Toolbar } from '../../shared/toolbar.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';
import { t, tabs } from '../../texts/contact.ts';
import { t as mail } from '../../texts/messages.ts';
import { t as words } from '../../texts/shared.ts';
import { t as versions } from '../../texts/versions.ts';
import { DeleteVersionDialog, versionDeletion } from '../emails/versions/delete-version.tsx';
import { VersionDialog } from '../emails/versions/version-dialog.tsx';
import { WriteVersionDialog } from '../emails/versions/write-version-dialog.tsx';
import type { Version } from './contact-api.ts';

export function VersionsTab({ id }: { id: string }) {
  const api = useApi();
  const emails = useEmailNames();
  const { canWrite } = useRights();
  const { pageNumber, setPage } = usePageParams();
  const [viewed, setViewed] = useState<Version>();
  const [doomed, setDoomed] = useState<Version>();
  const [isWriting, writing] = useDisclosure(false);
  const { data: contact } = useQuery(dataOf(api, getContact, { params: { id } }));
  const query = useQuery({
    ...pageOf(api, listVersions, { query: { contactId: id, pageNumber } }),
    ...pagedQuery,
  });
  return (
    <>
      {canWrite && contact && (
        <Toolbar
          end={
            <Button leftSection={<PlusIcon />} onClick={writing.open}>
              {versions.write}
            </Button>
          }
        >
          {null}
        </Toolbar>
      )}
      <DataTable
        label={tabs.versions}
        query={query}
        onPage={setPage}
        columns={canWrite ? [...columns(emails), versionDeletion(setDoomed)] : columns(emails)}
        rowKey={({ assetId }) => assetId}
        onOpen={setViewed}
        empty={<EmptyState icon={<MailIcon size={20} />} title={t.emptyVersions} text={t.emptyVersionsText} />}
      />
      {isWriting && contact && <WriteVersionDialog of={{ assetId: undefined, contact }} onClose={writing.close} />}
      {viewed && <VersionDialog version={viewed} onClose={() => setViewed(undefined)} />}
      {doomed && <DeleteVersionDialog version={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  );
}

const columns = ({ nameOf }: Names): Column<Version>[] => [
  { id: 'email', title: mail.email, cell: ({ assetId }) => nameOf(assetId) ?? t.someEmail },
  { id: 'subject', title: t.version, cell: ({ subject }) => subject ?? t.versionOwn },
  {
    id: 'status',
    title: t.state,
    cell: ({ status }) => <ToneBadge tone={status === 'ready' ? 'good' : 'quiet'}>{t.versionStatus[status]}</ToneBadge>,
  },
  {
    id: 'expires',
    title: t.expires,
    cell: ({ expiresAt }) => (expiresAt ? <Moment at={expiresAt} isAhead /> : words.empty),
    isEmpty: ({ expiresAt }) => expiresAt === null,
  },
  { id: 'updated', title: t.updated, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
];
