// The first tab of a journey: build it, see who is where, simulate it before it runs.
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/journey-canvas.ts';
import type { Assets } from '../editing/use-assets.ts';
import { useEditKeys } from '../editing/use-edit-keys.ts';
import type { Faults } from '../editing/use-faults.ts';
import type { JourneyWork } from '../editing/use-journey-work.ts';
import type { JourneyStats } from '../journey-api.ts';
import { entryId, stepOf } from '../model/edit.ts';
import { ruleAt } from '../model/say-rules.ts';
import { EntryPanel } from '../panels/entry-panel.tsx';
import { FaultsPanel } from '../panels/faults-panel.tsx';
import { JsonDialog } from '../panels/json-dialog.tsx';
import { RulePanel } from '../panels/rule-panel.tsx';
import { StepPanel } from '../panels/step-panel.tsx';
import { ClockBar } from '../simulate/clock-bar.tsx';
import type { Trip } from '../simulate/run.ts';
import { SimulatePanel } from '../simulate/simulate-panel.tsx';
import { useMomentOf } from '../simulate/use-moment.ts';
import { usePlayback } from '../simulate/use-playback.ts';
import { useSimulation } from '../simulate/use-simulation.ts';
import { AddStepDialog } from './add-step-dialog.tsx';
import { CanvasWorldProvider, MomentProvider } from './canvas-context.ts';
import classes from './canvas-tab.module.css';
import { CanvasToolbar, problemsId } from './canvas-toolbar.tsx';
import { JourneyCanvas } from './journey-canvas.tsx';
import { Outline } from './outline.tsx';
import { Palette } from './palette.tsx';
import { RulesStrip } from './rules-strip.tsx';
import { useCanvasWorldOf } from './use-canvas-world.ts';

interface CanvasTabProps {
  work: JourneyWork;
  faults: Faults;
  assets: Assets;
  stats: JourneyStats | undefined;
  canWrite: boolean;
}

export default function CanvasTab({ work, faults, assets, stats, canWrite }: CanvasTabProps) {
  const { param, setParam } = usePageParams();
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const view = isNarrow || param('view') === 'list' ? 'list' : 'canvas';
  const selected = param('open');
  const select = useSelect(selected, (id) => setParam('open', id));
  const [isSimulating, setSimulating] = useState(false);
  const [isJson, setJson] = useState(false);
  const simulation = useSimulation(work);
  const run = isSimulating ? simulation.data : undefined;
  const playback = usePlayback(run);
  const [followed, setFollowed] = useState<Trip>();
  const moment = useMomentOf(run, playback, followed);
  const isReadOnly = !canWrite || isSimulating;
  const { names } = assets;
  const { world, asked, stopAsking } = useCanvasWorldOf({ work, faults, names, stats, isReadOnly, selected, select });
  useEditKeys(work, isReadOnly);
  const leave = () => {
    simulation.reset();
    setFollowed(undefined);
    setSimulating(!isSimulating);
    select(undefined);
  };
  if (work.problem !== undefined) return <Undrawable work={work} problem={work.problem} canWrite={canWrite} />;
  return (
    <CanvasWorldProvider value={world}>
      <MomentProvider value={moment}>
        <div className={classes.frame}>
          <CanvasToolbar
            work={work}
            view={view}
            onView={(next) => setParam('view', next === 'list' ? next : undefined)}
            onJson={() => setJson(true)}
            onSimulate={canWrite ? leave : undefined}
            isSimulating={isSimulating}
          />
          {!isSimulating && <RulesStrip />}
          <div className={classes.room}>
            {view === 'canvas' && !isReadOnly && <Palette />}
            {view === 'canvas' ? (
              <JourneyCanvas />
            ) : (
              <div className={classes.list}>
                <Outline />
              </div>
            )}
            {isSimulating ? (
              <SimulatePanel
                definition={work.definition}
                run={run}
                playback={playback}
                isRunning={simulation.isPending}
                error={simulation.error}
                followed={followed}
                onFollow={setFollowed}
                onRun={(setup) => simulation.mutate(setup)}
                onReset={() => {
                  setFollowed(undefined);
                  simulation.reset();
                }}
                onClose={leave}
              />
            ) : (
              <OpenPanel work={work} assets={assets} selected={selected} select={select} />
            )}
          </div>
          {run && run.trips.length > 0 && <ClockBar run={run} playback={playback} />}
        </div>
        {asked && <AddStepDialog onPick={(type) => world.insert(asked, type)} onClose={stopAsking} />}
        {isJson && <JsonDialog work={work} isReadOnly={!canWrite} onClose={() => setJson(false)} />}
      </MomentProvider>
    </CanvasWorldProvider>
  );
}

/** Closing a panel with the keyboard returns the focus to its step. */
function useSelect(selected: string | undefined, set: (id: string | undefined) => void) {
  return useCallback(
    (id: string | undefined) => {
      set(id);
      if (id === undefined && selected !== undefined)
        requestAnimationFrame(() => {
          const node = document.querySelector<HTMLElement>(`[data-node="${CSS.escape(selected)}"]`);
          node?.focus({ preventScroll: true });
        });
    },
    [selected, set],
  );
}

interface OpenPanelProps {
  work: JourneyWork;
  assets: Assets;
  selected: string | undefined;
  select: (id: string | undefined) => void;
}

function OpenPanel({ work, assets, selected, select }: OpenPanelProps) {
  const onClose = () => select(undefined);
  if (selected === entryId) return <EntryPanel work={work} assets={assets} onClose={onClose} />;
  const rule = ruleAt(selected);
  if (rule) return <RulePanel key={rule} name={rule} work={work} onClose={onClose} />;
  if (selected === problemsId) return <FaultsPanel onClose={onClose} />;
  const step = stepOf(work.definition, selected);
  if (!step) return null;
  return <StepPanel key={step.id} step={step} work={work} assets={assets} onClose={onClose} onRenamed={select} />;
}

function Undrawable({ work, problem, canWrite }: { work: JourneyWork; problem: string; canWrite: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.frame}>
      <EmptyState title={t.undrawable} text={t.undrawableText(problem)}>
        <Button onClick={() => setOpen(true)}>{t.json}</Button>
      </EmptyState>
      {isOpen && <JsonDialog work={work} isReadOnly={!canWrite} onClose={() => setOpen(false)} />}
    </div>
  );
}
