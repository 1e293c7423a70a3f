import { listVersions } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { MailIcon } from '../../shared/icons.tsx';
import { Moment } from '../../shared/moment.tsx';
import { type Names, useEmailNames } from '../../shared/names/use-names.ts';
import type { Column } from '../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../shared/table/data-table.tsx';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';
import { t, tabs } from '../../texts/contact.ts';
import { t as mail } from '../../texts/messages.ts';
import { t as words } from '../../texts/shared.ts';
import type { Version } from './contact-api.ts';

export function VersionsTab({ id }: { id: string }) {
  const api = useApi();
  const emails = useEmailNames();
  const { pageNumber, setPage } = usePageParams();
  const query = useQuery({
    ...pageOf(api, listVersions, { query: { contactId: id, pageNumber } }),
    ...pagedQuery,
  });
  return (
    <DataTable
      label={tabs.versions}
      query={query}
      onPage={setPage}
      columns={columns(emails)}
      rowKey={({ assetId }) => assetId}
      href={({ assetId, email }) => `/emails/${assetId}/versions?search=${encodeURIComponent(email)}`}
      empty={<EmptyState icon={<MailIcon size={20} />} title={t.emptyVersions} text={t.emptyVersionsText} />}
    />
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
