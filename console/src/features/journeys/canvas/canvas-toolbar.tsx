import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core';
import { AlertIcon, CheckIcon, CodeIcon, PlayIcon, PlusIcon, RedoIcon, UndoIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as simulationTexts } from '../../../texts/journey-simulation.ts';
import type { JourneyWork } from '../editing/use-journey-work.ts';
import { lastPlace, placeAfter } from '../model/edit.ts';
import { useCanvasWorld } from './canvas-context.ts';
import classes from './canvas-tab.module.css';

type View = 'canvas' | 'list';
export const problemsId = ':problems';

interface CanvasToolbarProps {
  work: JourneyWork;
  view: View;
  onView: (view: View) => void;
  onJson: () => void;
  /** Undefined for users who may not. */
  onSimulate: (() => void) | undefined;
  isSimulating: boolean;
}

export function CanvasToolbar({ work, view, onView, onJson, onSimulate, isSimulating }: CanvasToolbarProps) {
  const { isReadOnly, ask, definition, selected } = useCanvasWorld();
  const place = (selected && placeAfter(definition, selected)) || lastPlace(definition);
  const acts = [
    { label: t.undo, icon: <UndoIcon />, act: work.undo, isOff: !work.canUndo },
    { label: t.redo, icon: <RedoIcon />, act: work.redo, isOff: !work.canRedo },
  ];
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t.canvasLabel}>
      <SegmentedControl
        aria-label={t.view}
        data={[
          { value: 'canvas', label: t.canvas },
          { value: 'list', label: t.list },
        ]}
        value={view}
        onChange={(next) => onView(next as View)}
        className={classes.views ?? ''}
      />
      {!isReadOnly && (
        <>
          {acts.map(({ label, icon, act, isOff }) => (
            <Tooltip key={label} label={label}>
              <ActionIcon variant="default" size={30} aria-label={label} disabled={isOff} onClick={act}>
                {icon}
              </ActionIcon>
            </Tooltip>
          ))}
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon size={14} />}
            data-shortcut="create"
            onClick={() => ask(place)}
          >
            {t.add}
          </Button>
        </>
      )}
      <span className={classes.gap} />
      {!isSimulating && (
        <>
          <ProblemsButton isActive={work.journey.status === 'active'} />
          <Tooltip label={t.json}>
            <ActionIcon variant="subtle" color="gray" size={30} aria-label={t.json} onClick={onJson}>
              <CodeIcon />
            </ActionIcon>
          </Tooltip>
        </>
      )}
      {onSimulate && (
        <Button
          variant={isSimulating ? 'default' : 'light'}
          size="xs"
          {...(isSimulating ? {} : { leftSection: <PlayIcon size={14} /> })}
          onClick={onSimulate}
        >
          {isSimulating ? simulationTexts.leaveSimulation : simulationTexts.simulate}
        </Button>
      )}
    </div>
  );
}

function ProblemsButton({ isActive }: { isActive: boolean }) {
  const { faults, select } = useCanvasWorld();
  if (faults.failed && !faults.all)
    return (
      <Button variant="subtle" color="gray" size="xs" onClick={faults.again}>
        {t.notChecked}
      </Button>
    );
  if (!faults.all) return null;
  const many = faults.all.length;
  if (many === 0)
    return (
      <span className={classes.ready} role="status">
        <CheckIcon size={14} />
        {isActive ? t.noneWrong : t.noProblems}
      </span>
    );
  return (
    <Button
      variant="default"
      size="xs"
      className={classes.problems ?? ''}
      leftSection={<AlertIcon size={14} />}
      onClick={() => select(problemsId)}
    >
      {t.faultsAt(many)}
    </Button>
  );
}
