// The picture of a journey: it pans, zooms, and can be navigated with the arrow keys.
import '@xyflow/react/dist/base.css';
import { ActionIcon, Tooltip } from '@mantine/core';
import { Background, BackgroundVariant, Panel, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef } from 'react';
import { FitIcon, MinusIcon, PlusIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { entryId, placeAfter } from '../model/edit.ts';
import { type Direction, neighbour } from '../model/layout.ts';
import { useCanvasWorld, useMoment } from './canvas-context.ts';
import classes from './journey-canvas.module.css';
import { EndNode, EntryNode, StepNode } from './nodes.tsx';
import { type Picture, usePicture } from './use-picture.ts';
import { ArrowTip, WayEdge } from './way-edge.tsx';

const nodeTypes = { step: StepNode, entry: EntryNode, end: EndNode };
const edgeTypes = { way: WayEdge };
const arrows: Record<string, Direction> = {
  ...{ ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' },
};
const quick = { duration: 200 };

export function JourneyCanvas({ children }: { children?: ReactNode }) {
  return (
    <ReactFlowProvider>
      <Stage>{children}</Stage>
    </ReactFlowProvider>
  );
}

function Stage({ children }: { children?: ReactNode }) {
  const { definition, isReadOnly } = useCanvasWorld();
  const picture = usePicture(definition);
  const box = useRef<HTMLDivElement>(null);
  const begin = useBeginning(picture, box);
  useRoom(box, begin);
  const keys = useKeys(picture, box);
  return (
    <section className={classes.stage} aria-label={t.canvasLabel} {...keys}>
      <ArrowTip />
      <div ref={box} className={classes.picture}>
        <ReactFlow
          nodes={picture.nodes}
          edges={picture.edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          onInit={() => begin()}
          minZoom={0.35}
          maxZoom={1.5}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          panActivationKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          zoomActivationKeyCode={['Meta', 'Control']}
          panOnScroll
          zoomOnDoubleClick={false}
          proOptions={{ hideAttribution: true }}
        >
          <Background variant={BackgroundVariant.Dots} gap={20} size={1.2} color="var(--line-strong)" />
          <ZoomButtons />
          {children}
        </ReactFlow>
      </div>
      {!isReadOnly && <p className={classes.hint}>{t.keysHint}</p>}
    </section>
  );
}

function ZoomButtons() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const buttons = [
    { label: t.zoomIn, icon: <PlusIcon />, act: () => zoomIn(quick) },
    { label: t.zoomOut, icon: <MinusIcon />, act: () => zoomOut(quick) },
    { label: t.fit, icon: <FitIcon />, act: () => fitView({ ...quick, maxZoom: 1, padding: 0.1 }) },
  ];
  return (
    <Panel position="bottom-right" className={classes.zoom ?? ''}>
      {buttons.map(({ label, icon, act }) => (
        <Tooltip key={label} label={label} position="left">
          <ActionIcon variant="default" size="lg" aria-label={label} onClick={() => void act()}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ))}
    </Panel>
  );
}

/** All of it if it fits and stays readable; otherwise its beginning. */
function useBeginning({ layout }: Picture, box: { current: HTMLElement | null }) {
  const { setViewport } = useReactFlow();
  return useCallback(
    (least = 0.85) => {
      const { clientWidth, clientHeight } = box.current ?? { clientWidth: 0, clientHeight: 0 };
      const fits = Math.min(clientWidth / layout.width, (clientHeight - 24) / layout.height);
      const zoom = Math.min(1, Math.max(least, fits));
      const entry = layout.boxes.get(entryId);
      const middle = fits >= zoom ? layout.width / 2 : (entry?.x ?? 0) + (entry?.width ?? 0) / 2;
      const y = fits >= zoom ? Math.max(12, (clientHeight - layout.height * zoom) / 2) : 12;
      void setViewport({ x: clientWidth / 2 - middle * zoom, y, zoom });
    },
    [layout, box, setViewport],
  );
}

/** When a panel opens beside it, the middle stays in the middle. A simulation shows as much as possible. */
function useRoom(box: { current: HTMLElement | null }, begin: (least?: number) => void) {
  const { getViewport, setViewport } = useReactFlow();
  const isWatched = useMoment() !== undefined;
  useEffect(() => {
    const room = box.current;
    if (!room) return;
    let width = room.clientWidth;
    const watch = new ResizeObserver(() => {
      const { x, y, zoom } = getViewport();
      if (width > 0 && room.clientWidth !== width) void setViewport({ x: x + (room.clientWidth - width) / 2, y, zoom });
      width = room.clientWidth;
    });
    watch.observe(room);
    return () => watch.disconnect();
  }, [box, getViewport, setViewport]);
  useEffect(() => {
    if (isWatched) begin(0.6);
  }, [isWatched, begin]);
}

function useKeys(picture: Picture, box: { current: HTMLElement | null }) {
  const world = useCanvasWorld();
  const find = useCallback(
    (id: string) => box.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`),
    [box],
  );
  const show = useShow(box);
  useSelectedInSight(picture, box, show);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const id = (event.target as HTMLElement).dataset.node;
    if (id === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    const direction = arrows[event.key];
    const place = placeAfter(world.definition, id);
    if (direction) {
      const next = neighbour(picture.graph, picture.layout, id, direction);
      if (next) find(next)?.focus();
    } else if (world.isReadOnly) return;
    else if (event.key === '+' && place) world.ask(place);
    else if ((event.key === 'Delete' || event.key === 'Backspace') && id !== entryId) {
      const before = picture.graph.edges.find(({ to }) => to === id)?.place.from;
      world.remove(id);
      if (before) requestAnimationFrame(() => find(before)?.focus());
    } else return;
    event.preventDefault();
  };
  // So is whatever gets the keyboard focus: after the browser has scrolled, which React Flow undoes, and before the next key.
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    if (!target.matches(':focus-visible') || !target.closest('.react-flow__viewport')) return;
    requestAnimationFrame(() => show(target.getBoundingClientRect(), { duration: 0 }));
  };
  return { onKeyDown, onFocus };
}

type Rect = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom' | 'width' | 'height'>;

/**
 * Scrolls an opened or new step into view. By its future position, because a new step is drawn later; and after the panel beside the picture
 * has taken its space.
 */
function useSelectedInSight({ layout }: Picture, box: { current: HTMLElement | null }, show: (at: Rect) => void) {
  const { selected } = useCanvasWorld();
  const { getViewport } = useReactFlow();
  const now = useRef(layout);
  now.current = layout;
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        const at = selected && now.current.boxes.get(selected);
        const room = box.current?.getBoundingClientRect();
        if (!at || !room) return;
        const { x, y, zoom } = getViewport();
        const [left, top] = [room.left + x + at.x * zoom, room.top + y + at.y * zoom];
        const [width, height] = [at.width * zoom, at.height * zoom];
        show({ left, top, width, height, right: left + width, bottom: top + height });
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [selected, box, show, getViewport]);
}

/** Brings a step or a line into view, and does nothing if it is visible. */
function useShow(box: { current: HTMLElement | null }) {
  const { getViewport, setViewport } = useReactFlow();
  return useCallback(
    (at: Rect, move = quick) => {
      const room = box.current?.getBoundingClientRect();
      if (!room) return;
      const isSeen = at.left >= room.left && at.top >= room.top && at.right <= room.right && at.bottom <= room.bottom;
      if (isSeen) return;
      const { x, y, zoom } = getViewport();
      const [right, down] = [
        room.left + room.width / 2 - at.left - at.width / 2,
        room.top + room.height / 2 - at.top - at.height / 2,
      ];
      void setViewport({ x: x + right, y: y + down, zoom }, move);
    },
    [box, getViewport, setViewport],
  );
}
