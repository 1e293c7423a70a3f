import { Button } from '@mantine/core';
import { useRights } from '../api/session/rights.ts';
import { FilePicker } from '../features/imports/file/file-picker.tsx';
import { useFileHead } from '../features/imports/file/use-file-head.ts';
import { MappingForm } from '../features/imports/mapping/mapping-form.tsx';
import { useImportDraft } from '../features/imports/use-import-draft.ts';
import { BackLink } from '../shared/back-link.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { UploadIcon } from '../shared/icons.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Page } from '../shared/page.tsx';
import { t } from '../texts/imports.ts';

/** File, columns, progress: each step appears once the one before it is done. */
export default function ImportPage() {
  const { canWrite } = useRights();
  const draft = useImportDraft();
  const { file } = draft;
  const { head, known, error } = useFileHead(file);
  const above = <BackLink href="/imports" label={t.imports} />;
  if (!canWrite)
    return (
      <Page title={t.title} above={above}>
        <EmptyState icon={<UploadIcon size={20} />} title={t.title} text={t.noRights} />
      </Page>
    );
  const isEmpty = head !== undefined && (head.header.length === 0 || head.rows.length === 0);
  const again = (
    <Button variant="default" onClick={draft.startAgain}>
      {t.again}
    </Button>
  );
  if (file && head && known && !isEmpty)
    return (
      <MappingForm
        key={file.size}
        {...{ file, head, known, above, again }}
        chosen={draft.columns}
        onChoose={draft.setColumns}
        forAll={draft.forAll}
        onForAll={draft.setForAll}
        onSent={draft.forget}
      />
    );
  return (
    <Page title={t.title} lead={t.lead} above={above} actions={file ? again : undefined}>
      {error && <ErrorState error={error} />}
      {file && !error && !isEmpty ? (
        <LoadingState label={t.reading} />
      ) : (
        <FilePicker draft={draft} fault={isEmpty ? t.emptyFile : undefined} />
      )}
    </Page>
  );
}
