// Beside the canvas while a simulation runs: who takes part, how many are where, and the story of one of them.
import { Button, Stack, Text } from '@mantine/core';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { PlayIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as simulationTexts } from '../../../texts/journey-simulation.ts';
import { whole } from '../../../texts/numbers.ts';
import { useCanvasWorld, useMoment } from '../canvas/canvas-context.ts';
import type { Definition } from '../model/definition.ts';
import { stepOf } from '../model/edit.ts';
import { sayStep } from '../model/say.ts';
import { Panel } from '../panels/panel.tsx';
import { whereabouts } from './frame.ts';
import classes from './people-list.module.css';
import { PeopleList } from './people-list.tsx';
import type { Setup } from './plan.ts';
import type { Run, Trip } from './run.ts';
import { SetupForm } from './setup-form.tsx';
import { Story } from './story.tsx';
import type { Playback } from './use-playback.ts';

interface SimulatePanelProps {
  definition: Definition;
  run: Run | undefined;
  playback: Playback;
  isRunning: boolean;
  error: Error | null;
  followed: Trip | undefined;
  onFollow: (trip: Trip | undefined) => void;
  onRun: (setup: Setup) => void;
  onReset: () => void;
  onClose: () => void;
}

export function SimulatePanel(props: SimulatePanelProps) {
  const { definition, run, playback, isRunning, error, followed, onFollow, onRun, onReset, onClose } = props;
  const { faults } = useCanvasWorld();
  return (
    <Panel
      key={run ? 'watched' : 'asked'}
      title={simulationTexts.simulation}
      icon={<PlayIcon />}
      isInline
      onClose={onClose}
      foot={
        run && (
          <Button variant="default" size="xs" onClick={onReset}>
            {simulationTexts.runAgain}
          </Button>
        )
      }
    >
      {!run ? (
        <SetupForm
          definition={definition}
          isRunning={isRunning}
          isFaulty={(faults.all?.length ?? 0) > 0}
          error={error}
          onRun={onRun}
        />
      ) : run.trips.length === 0 ? (
        <EmptyState title={simulationTexts.nobodyEntered} text={simulationTexts.nobodyEnteredText} />
      ) : (
        <Stack gap="md">
          <Figures hasGoal={definition.goal !== undefined} />
          {followed ? (
            <Story trip={followed} playback={playback} onStop={() => onFollow(undefined)} />
          ) : (
            <People run={run} at={playback.at} onFollow={onFollow} />
          )}
          {run.outside.length > 0 && (
            <Text size="sm" c="dimmed">
              {simulationTexts.notEntered(run.outside.length)}
            </Text>
          )}
        </Stack>
      )}
    </Panel>
  );
}

function Figures({ hasGoal }: { hasGoal: boolean }) {
  const moment = useMoment();
  if (!moment) return null;
  const names = (['entered', 'onTheWay', 'completed', 'exited', 'mails', 'reachedGoal'] as const).filter(
    (name) => name !== 'reachedGoal' || hasGoal,
  );
  const { heldOut, entered } = moment.frame;
  return (
    <>
      <dl className={classes.figures}>
        {names.map((name) => (
          <div key={name}>
            <dt>{simulationTexts.figures[name]}</dt>
            <dd>{whole(moment.frame[name])}</dd>
          </div>
        ))}
      </dl>
      {heldOut > 0 && (
        <Text size="sm" c="dimmed">
          {simulationTexts.heldOut(heldOut, entered)}
        </Text>
      )}
    </>
  );
}

/** All of them, or those at the step that was clicked. */
function People({ run, at, onFollow }: { run: Run; at: number; onFollow: (trip: Trip) => void }) {
  const { definition, names, selected } = useCanvasWorld();
  const step = stepOf(definition, selected);
  const trips = step ? run.trips.filter((trip) => whereabouts(trip, at).stepId === step.id) : run.trips;
  return (
    <div>
      <Text fw={600} mb={4}>
        {step ? `${sayStep(step, names).title}: ${t.here(whole(trips.length))}` : simulationTexts.follow}
      </Text>
      <PeopleList trips={trips} at={at} onFollow={onFollow} />
    </div>
  );
}
