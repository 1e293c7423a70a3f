// A loaded email: its heading, its tabs, and the draft that they share.
import { Alert, Button, Group } from '@mantine/core';
import type { Answer } from '@rapport/client';
import { lazy, Suspense, useState } from 'react';
import { useRights } from '../../api/session/rights.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { useSaveKey, useUnsavedGuard } from '../../shared/drafts/use-leaving.ts';
import { ConfirmDialog } from '../../shared/form/confirm-dialog.tsx';
import { LoadingState } from '../../shared/loading-state.tsx';
import { Page } from '../../shared/page.tsx';
import { PageTabs } from '../../shared/page-tabs.tsx';
import { queryText } from '../../shared/period/period.ts';
import { usePageParams } from '../../shared/use-page-params.ts';
import { t } from '../../texts/emails.ts';
import { t as words } from '../../texts/shared.ts';
import { ContentTab } from './content/content-tab.tsx';
import { EmailActions } from './email-actions.tsx';
import type { Email } from './email-api.ts';
import { EmailConflict } from './email-conflict.tsx';
import classes from './email-editor.module.css';
import { type Tab, tabs } from './tabs.ts';
import { type EmailDraft, useEmailDraft } from './use-email-draft.ts';
import { useRename } from './use-rename.ts';
import { UsedBy } from './used-by.tsx';

const RecipientsTab = lazy(() => import('./recipients/recipients-tab.tsx'));
const VersionsTab = lazy(() => import('./versions/versions-tab.tsx'));
const ActivityTab = lazy(() => import('./activity/activity-tab.tsx'));
const StatsTab = lazy(() => import('./stats/stats-tab.tsx'));
const HistoryTab = lazy(() => import('./history/history-tab.tsx'));

export function EmailEditor({ loaded, tab }: { loaded: Answer<Email>; tab: Tab }) {
  const { canWrite } = useRights();
  const work = useEmailDraft(loaded);
  const { id, name } = work.email;
  const leaving = useUnsavedGuard(work.isDirty, `/console/emails/${id}`, work.forget);
  useSaveKey(work.isDirty && canWrite ? work.save : undefined);
  const rename = useRename(work);
  const back = useWayBack();
  // Created on the first visit and kept: undo and the cursor survive a switch to other tabs.
  const [seenContent, setSeenContent] = useState(tab === 'content');
  if (tab === 'content' && !seenContent) setSeenContent(true);
  return (
    <Page
      title={name}
      above={<BackLink href={back.href} label={back.label} />}
      lead={<UsedBy id={id} />}
      actions={canWrite && <EmailActions work={work} onLeave={leaving.release} />}
      onRename={canWrite ? rename : undefined}
      isSticky={canWrite}
    >
      <PageTabs label={t.parts} base={`/emails/${id}`} tabs={tabs} current={tab} query={back.query} />
      {!canWrite && (
        <Alert classNames={{ root: classes.info ?? '', message: classes.text ?? '' }}>{words.readOnly}</Alert>
      )}
      {work.isRestored && work.isDirty && <RestoredNotice work={work} />}
      {seenContent && (
        <div hidden={tab !== 'content'}>
          <ContentTab work={work} isReadOnly={!canWrite} />
        </div>
      )}
      <Suspense fallback={<LoadingState label={words.loading} />}>
        {tab === 'recipients' && <RecipientsTab id={id} name={name} />}
        {tab === 'versions' && <VersionsTab id={id} />}
        {tab === 'activity' && <ActivityTab id={id} />}
        {tab === 'statistics' && <StatsTab id={id} />}
        {tab === 'history' && <HistoryTab work={work} />}
      </Suspense>
      {work.theirs && <EmailConflict work={work} theirs={work.theirs} />}
      {leaving.isAsking && (
        <ConfirmDialog
          title={words.leaveTitle}
          text={words.leaveText}
          cancel={words.keepEditing}
          confirm={words.leave}
          act={leaving.leave}
          onClose={leaving.stay}
        />
      )}
    </Page>
  );
}

/** The step of a journey that it was opened from, or the list of emails. `query` keeps that while tabs are switched. */
function useWayBack(): { href: string; label: string; query: string } {
  const { param } = usePageParams();
  const [journey, step] = [param('journey'), param('step')];
  if (journey === undefined) return { href: '/emails', label: t.emails, query: '' };
  const query = queryText({ journey, step });
  return {
    href: `/journeys/${encodeURIComponent(journey)}${queryText({ open: step })}`,
    label: t.backToJourney,
    query,
  };
}

function RestoredNotice({ work }: { work: EmailDraft }) {
  return (
    <Alert role="status" classNames={{ root: classes.warn ?? '', message: classes.text ?? '' }}>
      <Group justify="space-between" gap="xs">
        {words.draftRestored}
        <Button size="xs" variant="default" onClick={() => void work.discard()}>
          {words.discardDraft}
        </Button>
      </Group>
    </Alert>
  );
}
