import { notifications } from '@mantine/notifications';
import { useCallback, useMemo, useState } from 'react';
import { t } from '../../../texts/journey-canvas.ts';
import type { Faults } from '../editing/use-faults.ts';
import type { JourneyWork } from '../editing/use-journey-work.ts';
import type { JourneyStats } from '../journey-api.ts';
import type { StepType } from '../model/definition.ts';
import { insertStep, type Place, removeStep, stepOf } from '../model/edit.ts';
import { type Names, sayStep } from '../model/say.ts';
import type { CanvasWorld, LiveCount } from './canvas-context.ts';

interface Given {
  work: JourneyWork;
  faults: Faults;
  names: Names;
  stats: JourneyStats | undefined;
  isReadOnly: boolean;
  selected: string | undefined;
  select: (id: string | undefined) => void;
}

/** What the canvas, its list and its panels work on. `asked`: where a step is about to be inserted. */
export function useCanvasWorldOf({ work, faults, names, stats, isReadOnly, selected, select }: Given) {
  const [dragged, drag] = useState<StepType>();
  const [asked, ask] = useState<Place>();
  const { definition, edit } = work;
  const live = useMemo(
    () => liveCounts(work.journey.version === null ? undefined : stats),
    [stats, work.journey.version],
  );
  const insert = useCallback(
    (place: Place, type: StepType) => {
      const inserted = insertStep(definition, place, type);
      edit(inserted.definition);
      drag(undefined);
      ask(undefined);
      select(inserted.id);
    },
    [definition, edit, select],
  );
  const remove = useCallback(
    (id: string) => {
      const step = stepOf(definition, id);
      if (!step) return;
      const removed = removeStep(definition, id);
      edit(removed.definition);
      if (selected !== undefined) select(undefined);
      const { title } = sayStep(step, names);
      const more = removed.also.length > 0 ? ` ${t.removedAlso(removed.also.length)}` : '';
      notifications.show({ message: `${t.removed(title)}${more}` });
    },
    [definition, edit, names, select, selected],
  );
  const world: CanvasWorld = useMemo(
    () => ({ definition, names, faults, selected, isReadOnly, live, dragged, select, ask, insert, remove, drag }),
    [definition, names, faults, selected, isReadOnly, live, dragged, select, insert, remove],
  );
  return { world, asked, stopAsking: () => ask(undefined) };
}

function liveCounts(stats: JourneyStats | undefined): Map<string, LiveCount> | undefined {
  return (
    stats &&
    new Map(stats.steps.map(({ stepId, entered, inProgress, sent }) => [stepId, { entered, inProgress, sent }]))
  );
}
