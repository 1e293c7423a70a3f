// Moving a condition or a group: by keys, by its menu, and by dragging it.
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { useBuilder } from './builder-context.ts';
import { moveNode, moveTo } from './model/edit.ts';
import { parentOf } from './model/tree.ts';

/** What is being dragged: a drop may not read what was put into the event while it hovers. */
let dragged: string | undefined;

export function useNodeMoves(id: string) {
  const { tree, isReadOnly } = useBuilder();
  const [edge, setEdge] = useState<'before' | 'after'>();
  const parent = parentOf(tree.root, id);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || isReadOnly || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    event.stopPropagation();
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
    row: { onKeyDown, onDragOver, onDrop, onDragLeave: () => setEdge(undefined) },
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
