// A line of the canvas: where it leads, its condition, how many took it, and the button that inserts a step.
import { type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import { type DragEvent, useState } from 'react';
import { PlusIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import { whole } from '../../../texts/numbers.ts';
import { entryId, type Place, stepOf } from '../model/edit.ts';
import type { Point } from '../model/layout.ts';
import { sayStep, sayWay } from '../model/say.ts';
import { useCanvasWorld, useMoment } from './canvas-context.ts';
import classes from './way-edge.module.css';

const arrowId = 'way-arrow';

/** The tip of every line, drawn once. */
export function ArrowTip() {
  return (
    <svg className={classes.tip} aria-hidden="true">
      <defs>
        <marker id={arrowId} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0.5 7.5 4 0 7.5z" />
        </marker>
      </defs>
    </svg>
  );
}

export type WayEdgeOf = Edge<{ place: Place; path: string; label: Point }, 'way'>;

export function WayEdge({ id, data }: EdgeProps<WayEdgeOf>) {
  const { definition, isReadOnly } = useCanvasWorld();
  const moment = useMoment();
  if (!data) return null;
  const { place, path, label } = data;
  const step = stepOf(definition, place.from);
  const words = step && sayWay(step, place.slot);
  const count = moment?.frame.edges.get(id);
  const isTaken = moment?.followed?.edges.has(id);
  return (
    <>
      <path
        className={classes.line}
        d={path}
        markerEnd={`url(#${arrowId})`}
        data-taken={isTaken || undefined}
        data-used={count ? true : undefined}
      />
      {moment?.dots.get(id)?.map(({ trip, progress }) => (
        <circle
          key={trip}
          r={5}
          className={classes.dot}
          style={{ offsetPath: `path('${path}')`, offsetDistance: `${progress * 100}%` }}
        />
      ))}
      <EdgeLabelRenderer>
        <div
          className={classes.label}
          style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)` }}
        >
          {words !== undefined && (
            <span className={classes.words} title={words}>
              {words}
            </span>
          )}
          {moment && <span className={classes.count}>{whole(count ?? 0)}</span>}
          {!isReadOnly && <AddHere place={place} />}
        </div>
      </EdgeLabelRenderer>
    </>
  );
}

/** The label of a way for screen readers. */
function useNameOf({ from, slot }: Place): string {
  const { definition, names } = useCanvasWorld();
  if (from === entryId) return stepTexts.entry;
  const step = stepOf(definition, from);
  if (!step) return '';
  const { title, detail } = sayStep(step, names);
  return [title, sayWay(step, slot) ?? detail].filter(Boolean).join(', ');
}

export function AddHere({ place }: { place: Place }) {
  const { ask, dragged, insert } = useCanvasWorld();
  const name = useNameOf(place);
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    if (!dragged) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    <button
      type="button"
      className={`${classes.add} nopan nodrag`}
      aria-label={t.addHere(name)}
      data-dragging={dragged ? true : undefined}
      data-over={isOver || undefined}
      onClick={() => ask(place)}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (dragged) insert(place, dragged);
      }}
    >
      <PlusIcon size={12} />
    </button>
  );
}
