// The journey as a list: shown on a phone instead of the canvas, and easier for screen readers on any screen.
import { ActionIcon, Text } from '@mantine/core';
import { ChevronRightIcon, TrashIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import { whole } from '../../../texts/numbers.ts';
import { entryId, entryPlace, placeAfter, stepOf } from '../model/edit.ts';
import { edgeId } from '../model/graph.ts';
import { type OutlineItem, outlineOf } from '../model/outline.ts';
import { sayStep, sayWay } from '../model/say.ts';
import { useCanvasWorld, useMoment } from './canvas-context.ts';
import { EntryCard } from './nodes.tsx';
import classes from './outline.module.css';
import { StepCard } from './step-card.tsx';
import { AddHere } from './way-edge.tsx';

export function Outline() {
  const { definition, isReadOnly } = useCanvasWorld();
  return (
    <ol className={classes.outline} aria-label={t.outlineLabel}>
      <li className={classes.step}>
        <EntryCard />
        {!isReadOnly && <AddHere place={entryPlace} />}
      </li>
      {outlineOf(definition).map((item) => (
        <li key={keyOf(item)} style={{ paddingInlineStart: `${Math.min(item.depth, 5) * 1.1}rem` }}>
          <Item item={item} />
        </li>
      ))}
    </ol>
  );
}

function keyOf(item: OutlineItem): string {
  return item.kind === 'step' ? item.id : `${item.kind} ${edgeId(item.place)}`;
}

function Item({ item }: { item: OutlineItem }) {
  const { definition, names } = useCanvasWorld();
  if (item.kind === 'step') return <StepLine id={item.id} />;
  if (item.kind === 'way') return <WayLine item={item} />;
  if (item.kind === 'end') return <span className={classes.end}>{t.end}</span>;
  const step = stepOf(definition, item.to);
  const { title = '', detail = '' } = step ? sayStep(step, names) : {};
  return (
    <Text size="sm" c="dimmed" className={classes.goto}>
      {t.goTo} <b>{step?.name ? title : [title, detail].filter(Boolean).join(', ')}</b>
    </Text>
  );
}

function StepLine({ id }: { id: string }) {
  const { definition, names, isReadOnly, remove } = useCanvasWorld();
  const step = stepOf(definition, id);
  const place = placeAfter(definition, id);
  if (!step) return null;
  const { title } = sayStep(step, names);
  return (
    <div className={classes.step}>
      <StepCard step={step} />
      {!isReadOnly && (
        <div className={classes.acts}>
          {place?.slot === 'next' && <AddHere place={place} />}
          <ActionIcon variant="subtle" color="gray" aria-label={stepTexts.removeThis(title)} onClick={() => remove(id)}>
            <TrashIcon />
          </ActionIcon>
        </div>
      )}
    </div>
  );
}

function WayLine({ item: { place } }: { item: Extract<OutlineItem, { kind: 'way' }> }) {
  const { definition, isReadOnly } = useCanvasWorld();
  const moment = useMoment();
  const step = stepOf(definition, place.from);
  return (
    <div className={classes.way}>
      <ChevronRightIcon size={14} />
      <b>{step && sayWay(step, place.slot)}</b>
      {moment && <span className={classes.count}>{whole(moment.frame.edges.get(edgeId(place)) ?? 0)}</span>}
      {!isReadOnly && place.from !== entryId && <AddHere place={place} />}
    </div>
  );
}
