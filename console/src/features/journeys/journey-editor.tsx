// A loaded journey: its heading and actions, its tabs, and the work that they share.
import { Alert, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { Answer } from '@rapport/client';
import { type ComponentType, lazy, Suspense } from 'react';
import { useRights } from '../../api/session/rights.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { ConflictDialog } from '../../shared/conflict/conflict-dialog.tsx';
import { useSaveKey } from '../../shared/drafts/use-leaving.ts';
import { LoadingState } from '../../shared/loading-state.tsx';
import { CopyIdItem, MoreMenu } from '../../shared/more-menu.tsx';
import { Page } from '../../shared/page.tsx';
import { PageTabs } from '../../shared/page-tabs.tsx';
import { t } from '../../texts/journey-canvas.ts';
import type { Assets } from './editing/use-assets.ts';
import { useFaults } from './editing/use-faults.ts';
import { type JourneyWork, useJourneyWork } from './editing/use-journey-work.ts';
import type { JourneyRecord, JourneyStats } from './journey-api.ts';
import { JourneyLead, SaveStatus } from './journey-lead.tsx';
import { type Tab, tabs } from './journey-tabs.ts';
import { ActivateDialog } from './life/activate-dialog.tsx';
import { InFlightDialog } from './life/in-flight-dialog.tsx';
import { LifeActions } from './life/life-actions.tsx';
import { sameText } from './model/same-json.ts';

const CanvasTab = lazy(() => import('./canvas/canvas-tab.tsx'));
const otherTabs: Readonly<Record<Exclude<Tab, 'canvas'>, ComponentType<{ journey: JourneyRecord }>>> = {
  enrolments: lazy(() => import('./enrolments/enrolments-tab.tsx')),
  runs: lazy(() => import('./runs/runs-tab.tsx')),
  versions: lazy(() => import('./versions/versions-tab.tsx')),
  report: lazy(() => import('./report/report-tab.tsx')),
  settings: lazy(() => import('./details/settings-tab.tsx')),
};

interface JourneyEditorProps {
  loaded: Answer<JourneyRecord>;
  tab: Tab;
  assets: Assets;
  stats: JourneyStats | undefined;
}

export function JourneyEditor({ loaded, tab, assets, stats }: JourneyEditorProps) {
  const work = useJourneyWork(loaded);
  const faults = useFaults(work);
  const { canWrite } = useRights();
  const [isActivating, activation] = useDisclosure(false);
  const [isChoosing, choice] = useDisclosure(false);
  const { journey } = work;
  const save = async () => {
    if (journey.status !== 'active') return work.save();
    choice.open();
    return false;
  };
  useSaveKey(canWrite && work.isDirty ? save : undefined);
  const Other = tab === 'canvas' ? undefined : otherTabs[tab];
  return (
    <Page
      title={journey.name}
      above={<BackLink href="/journeys" label={t.journeys} />}
      lead={<JourneyLead journey={journey} />}
      actions={
        <>
          <SaveStatus work={work} />
          {canWrite && (
            <>
              <Button
                variant={work.isDirty ? 'filled' : 'default'}
                disabled={!work.isDirty}
                loading={work.saveState === 'saving'}
                onClick={() => void save()}
              >
                {t.save}
              </Button>
              <LifeActions
                work={work}
                onActivate={async () => {
                  if (!work.isDirty || (await work.save())) activation.open();
                }}
              />
            </>
          )}
          <MoreMenu label={t.more} isOfPage>
            <CopyIdItem id={journey.journeyId} />
          </MoreMenu>
        </>
      }
    >
      <PageTabs label={t.parts} base={`/journeys/${journey.journeyId}`} tabs={tabs} current={tab} />
      {work.isRestored && <RestoredNotice work={work} />}
      <Suspense fallback={<LoadingState label={t.loadingCanvas} />}>
        {tab === 'canvas' && (
          <CanvasTab work={work} faults={faults} assets={assets} stats={stats} canWrite={canWrite} />
        )}
        {Other && <Other journey={journey} />}
      </Suspense>
      {work.theirs && <Conflict work={work} theirs={work.theirs} />}
      {isChoosing && <InFlightDialog work={work} onClose={choice.close} />}
      {isActivating && (
        <ActivateDialog
          work={work}
          faults={faults}
          onClose={activation.close}
          onActivated={() => {
            activation.close();
            notifications.show({ color: 'green', message: t.activated });
          }}
        />
      )}
    </Page>
  );
}

function RestoredNotice({ work }: { work: JourneyWork }) {
  return (
    <Alert role="status">
      <Group justify="space-between" gap="xs">
        {t.restoredText}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => void work.discard()}>
            {t.discard}
          </Button>
          <Button size="xs" onClick={work.acceptDraft}>
            {t.dismiss}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}

function Conflict({ work, theirs }: { work: JourneyWork; theirs: NonNullable<JourneyWork['theirs']> }) {
  const text = (definition: unknown) => sameText(definition ?? {}, 2);
  return (
    <ConflictDialog
      what={t.thisJourney}
      by={theirs.by}
      at={theirs.stored.data.updatedAt}
      fields={[{ label: t.definition, mine: text(work.written), theirs: text(theirs.stored.data.definition) }]}
      onKeepEditing={work.keepEditing}
      onTakeTheirs={work.takeTheirs}
      onOverwrite={() => void work.overwrite()}
    />
  );
}
