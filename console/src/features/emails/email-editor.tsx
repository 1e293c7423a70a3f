// An email that is loaded: its heading, its tabs, and the draft that they share.

import type { Answer } from '@rapport/client';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { type Guard, useLeaveGuard } from '../../session/leave-guard.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { LoadingState } from '../../shared/loading-state.tsx';
import { Page } from '../../shared/page.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { ContentTab } from './content/content-tab.tsx';
import { EmailActions } from './email-actions.tsx';
import type { Email } from './email-api.ts';
import { EmailTabs, type Tab } from './email-tabs.tsx';
import { useDraft } from './use-draft.ts';

const VersionsTab = lazy(() => import('./versions/versions-tab.tsx'));
const ActivityTab = lazy(() => import('./activity/activity-tab.tsx'));

export function EmailEditor({ loaded, tab }: { loaded: Answer<Email>; tab: Tab }) {
  const work = useDraft(loaded);
  const { id, name } = work.email;
  const leaving = useUnsavedGuard(work.isDirty, `/console/emails/${id}`);
  useSaveKey(work.isDirty ? work.save : undefined);
  // Built at the first visit and kept: undo and the cursor survive a look at the other tabs.
  const [seenContent, setSeenContent] = useState(tab === 'content');
  if (tab === 'content' && !seenContent) setSeenContent(true);
  return (
    <Page
      title={name}
      above={<BackLink href="/emails" label="Emails" />}
      actions={<EmailActions work={work} onLeave={leaving.release} />}
    >
      <EmailTabs id={id} current={tab} />
      {seenContent && (
        <div hidden={tab !== 'content'}>
          <ContentTab work={work} />
        </div>
      )}
      <Suspense fallback={<LoadingState label="Loading" />}>
        {tab === 'versions' && <VersionsTab id={id} />}
        {tab === 'activity' && <ActivityTab id={id} />}
      </Suspense>
      {work.theirs && <ConflictDialog work={work} theirs={work.theirs.data} />}
      <ConfirmDialog
        opened={leaving.isAsking}
        title="Leave without saving?"
        text="Your changes to this email are not saved yet. They will be lost."
        cancel="Keep editing"
        confirm="Leave without saving"
        onCancel={leaving.stay}
        onConfirm={leaving.leave}
      />
    </Page>
  );
}

function useUnsavedGuard(isDirty: boolean, home: string) {
  const [leave, setLeave] = useState<() => void>();
  const [released, setReleased] = useState(false);
  const active = isDirty && !released;
  const guard = useMemo<Guard | undefined>(
    () =>
      active
        ? {
            allows: (path) => path === home || path.startsWith(`${home}/`),
            ask: (go) => setLeave(() => go),
          }
        : undefined,
    [active, home],
  );
  useLeaveGuard(guard);
  return {
    isAsking: leave !== undefined,
    stay: () => setLeave(undefined),
    leave: () => {
      setLeave(undefined);
      leave?.();
    },
    /** What is not saved no longer matters: the email is deleted. */
    release: useCallback(() => setReleased(true), []),
  };
}

/** Ctrl+S or Cmd+S saves; the browser's own dialog helps nobody here. */
function useSaveKey(save: (() => Promise<void>) | undefined) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      if (!event.repeat) void save?.();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [save]);
}
