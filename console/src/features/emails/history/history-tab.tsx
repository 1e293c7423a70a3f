// The email after each save: who saved it, what changed, and a way to restore it.
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ClockIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/emails.ts';
import type { SaveRow } from '../email-api.ts';
import { historyQuery } from '../email-queries.ts';
import type { EmailDraft } from '../use-email-draft.ts';
import { SaveDialog } from './save-dialog.tsx';
import { changedWords } from './saved-texts.ts';

const columns: Column<SaveRow>[] = [
  {
    id: 'save',
    title: t.oneSave,
    cell: ({ revision, isCurrent }) => (
      <Group component="span" gap="xs">
        {t.saveNo(revision)} {isCurrent && <ToneBadge tone="good">{t.current}</ToneBadge>}
      </Group>
    ),
  },
  { id: 'changed', title: t.changed, cell: changedWords },
  { id: 'by', title: t.savedBy, cell: ({ savedBy }) => savedBy?.name ?? t.somebodyGone },
  { id: 'when', title: t.when, cell: ({ savedAt }) => <Moment at={savedAt} />, width: '10rem' },
];

export default function HistoryTab({ work }: { work: EmailDraft }) {
  const api = useApi();
  const { pageNumber, setPage, param, setParam } = usePageParams();
  const { id } = work.email;
  const query = useQuery({
    ...historyQuery(api, id, pageNumber),
    ...pagedQuery,
  });
  const revision = Number.parseInt(param('save') ?? '', 10);
  return (
    <>
      <DataTable
        query={query}
        label={t.history}
        columns={columns}
        rowKey={(save) => String(save.revision)}
        onOpen={(save) => setParam('save', String(save.revision))}
        onPage={setPage}
        empty={<EmptyState icon={<ClockIcon size={20} />} title={t.historyEmpty} text={t.historyEmptyText} />}
      />
      {Number.isInteger(revision) && (
        <SaveDialog key={revision} work={work} revision={revision} onClose={() => setParam('save', undefined)} />
      )}
    </>
  );
}
