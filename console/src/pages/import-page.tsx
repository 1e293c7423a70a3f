import { Button, Progress, Text } from '@mantine/core';
import { Link } from 'wouter';
import { FailedRowsCard } from '../features/imports/failed/failed-rows-card.tsx';
import { type ContactImport, useImportProgress } from '../features/imports/import-api.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Card } from '../shared/card.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { Figure } from '../shared/figure.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/imports.ts';
import { whole } from '../texts/numbers.ts';
import classes from './import-page.module.css';

/** The progress of an import. It continues without this page, which can be left and opened again. */
export default function ImportProgressPage({ params: { transactionId = '' } }: PageParams) {
  const query = useImportProgress(transactionId);
  const { param } = usePageParams();
  const brought = param('properties');
  const isDone = query.data?.status === 'DONE';
  const isUnknown = query.error !== null && query.data === undefined;
  const next = (
    <Button component={Link} href={`/audience${brought ? `?new=${encodeURIComponent(brought)}` : ''}`}>
      {t.build}
    </Button>
  );
  return (
    <Page
      title={isUnknown ? t.one : isDone ? t.importDone : t.importing}
      lead={query.data?.fileName ?? undefined}
      above={<BackLink href="/imports" label={t.imports} />}
      actions={isDone ? next : undefined}
    >
      {query.error && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} compact={query.data !== undefined} />
      )}
      {query.data ? <Told told={query.data} /> : !query.error && <LoadingState label={t.progress} />}
    </Page>
  );
}

function Told({ told }: { told: ContactImport }) {
  const { progress, counts, kept = 0, createdAt, createdBy, ignoredProperties, errorsPath, status } = told;
  const share = progress.total === 0 ? 100 : (progress.done / progress.total) * 100;
  return (
    <>
      <Card>
        <div className={classes.line}>
          <Text fw={500} role="status">
            {t.of(progress.done, progress.total)}
          </Text>
          <Text c="dimmed">
            {t.started} <Moment at={createdAt} /> {createdBy && t.byWhom(createdBy.name)}
          </Text>
        </div>
        <Progress value={share} aria-label={t.progress} color={status === 'DONE' ? 'teal.7' : 'iris'} />
      </Card>
      <div className={classes.figures}>
        <Figure label={t.created} definition={t.means.created} value={whole(counts.CREATED)} />
        <Figure label={t.updated} definition={t.means.updated} value={whole(counts.UPDATED)} />
        <Figure label={t.unchanged} definition={t.means.unchanged} value={whole(counts.NO_CHANGE)} />
        <Figure label={t.failed} definition={t.means.failed} value={whole(counts.FAILED)} />
        {kept > 0 && <Figure label={t.kept} definition={t.means.kept} value={whole(kept)} />}
      </div>
      {kept > 0 && (
        <Card>
          <Text>{t.keptText(kept)}</Text>
        </Card>
      )}
      {ignoredProperties.length > 0 && <Text c="var(--warn)">{t.ignored(ignoredProperties.join(', '))}</Text>}
      {errorsPath && <FailedRowsCard told={told} fileName={failedFileName(told)} />}
    </>
  );
}

/** Named after the source file, so that the two are found together. */
function failedFileName({ fileName, format, transactionId }: ContactImport): string {
  const name = fileName?.replace(/\.[^.]*$/, '') || transactionId;
  return `${name}-failed-rows.${format}`;
}
