// Moving a condition or a group: by keys, by its menu, and by dragging it.
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useBuilder } from './builder-context.ts';
import { moveNode, moveTo } from './model/edit.ts';
import { parentOf } from './model/tree.ts';

/** What is being dragged: a drop may not read what was put into the event while it hovers. */
let dragged: string | undefined;

export function useNodeMoves(id: string) {
  const { tree, isReadOnly, moved, setMoved } = useBuilder();
  const [edge, setEdge] = useState<'before' | 'after'>();
  const parent = parentOf(tree.root, id);
  const row = useRef<HTMLDivElement>(null);
  const isMoved = moved === id;
  // In another group it is another element: the focus goes along, so that the next key moves it on.
  useEffect(() => {
    if (!isMoved) return;
    row.current?.querySelector<HTMLElement>('button, input')?.focus();
    setMoved(undefined);
  }, [isMoved, setMoved]);
  // Before a field inside takes the arrow for its own.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (!event.altKey || isReadOnly || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    // It comes by every group around: the innermost is meant.
    if (event.target instanceof Element && event.target.closest('[data-node]') !== event.currentTarget) return;
    event.preventDefault();
    event.stopPropagation();
    setMoved(id);
    tree.change(moveNode(tree.root, id, event.key === 'ArrowUp' ? 'up' : 'down'));
  };
  const onDragOver = (event: DragEvent) => {
    if (dragged === undefined || dragged === id || !parent) return;
    event.preventDefault();
    event.stopPropagation();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    setEdge(event.clientY < top + height / 2 ? 'before' : 'after');
  };
  const onDrop = (event: DragEvent) => {
    setEdge(undefined);
    if (dragged === undefined || !parent) return;
    event.preventDefault();
    event.stopPropagation();
    const at = parent.parts.findIndex((part) => part.id === id);
    tree.change(moveTo(tree.root, dragged, parent.id, edge === 'after' ? at + 1 : at));
    dragged = undefined;
  };
  return {
    edge,
    row: { ref: row, 'data-node': id, onKeyDownCapture, onDragOver, onDrop, onDragLeave: () => setEdge(undefined) },
    handle: {
      draggable: !isReadOnly,
      onDragStart: (event: DragEvent) => {
        dragged = id;
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', id);
      },
      onDragEnd: () => {
        dragged = undefined;
      },
    },
  };
}
