// Edits of a filter. Every edit returns a new tree; an impossible one returns its input.
import type { FilterJson, GroupWord } from './filter-json.ts';
import { depthOf, findNode, type Group, groupWith, isGroup, type Node, newId, parentOf } from './tree.ts';

/** The deepest nesting of groups that the language allows. */
export const deepest = 10;

type Change = (parts: readonly Node[], group: Group) => readonly Node[];

function changeParts(root: Group, groupId: string, change: Change): Group {
  if (root.id === groupId) {
    const parts = change(root.parts, root);
    return parts === root.parts ? root : { ...root, parts };
  }
  const parts = root.parts.map((part) => (isGroup(part) ? changeParts(part, groupId, change) : part));
  return parts.every((part, at) => part === root.parts[at]) ? root : { ...root, parts };
}

/** A tree that the language would refuse is not created. */
const within = (next: Group, before: Group): Group => (depthOf(next) > deepest ? before : next);

export function addNode(root: Group, groupId: string, node: Node, at?: number): Group {
  return within(
    changeParts(root, groupId, (parts) => parts.toSpliced(at ?? parts.length, 0, node)),
    root,
  );
}

export function setCondition(root: Group, id: string, json: FilterJson): Group {
  const parent = parentOf(root, id);
  if (!parent) return root;
  return changeParts(root, parent.id, (parts) =>
    parts.map((part) => (part.id === id && !isGroup(part) ? { ...part, json } : part)),
  );
}

export function setWord(root: Group, id: string, word: GroupWord): Group {
  // A group whose operator was chosen explicitly stays a group.
  if (root.id === id) return { ...root, word, isBare: false };
  const parent = parentOf(root, id);
  if (!parent) return root;
  return changeParts(root, parent.id, (parts) =>
    parts.map((part) => (part.id === id && isGroup(part) ? { ...part, word } : part)),
  );
}

export function removeNode(root: Group, id: string): Group {
  const parent = parentOf(root, id);
  return parent ? changeParts(root, parent.id, (parts) => parts.filter((part) => part.id !== id)) : root;
}

export function duplicateNode(root: Group, id: string): Group {
  const parent = parentOf(root, id);
  const node = findNode(root, id);
  if (!parent || !node) return root;
  const at = parent.parts.findIndex((part) => part.id === id) + 1;
  return addNode(root, parent.id, withNewIds(node), at);
}

function withNewIds(node: Node): Node {
  return isGroup(node) ? { ...node, id: newId(), parts: node.parts.map(withNewIds) } : { ...node, id: newId() };
}

/** Puts a node into its own group, with the other operator than its parent: the same one would change nothing. */
export function wrapNode(root: Group, id: string): Group {
  const parent = parentOf(root, id);
  if (!parent) return root;
  const word = parent.word === 'any' ? 'all' : 'any';
  const next = changeParts(root, parent.id, (parts) =>
    parts.map((part) => (part.id === id ? groupWith(word, [part]) : part)),
  );
  return within(next, root);
}

/** Replaces the group with its parts. */
export function unwrapGroup(root: Group, id: string): Group {
  const parent = parentOf(root, id);
  if (!parent) return root;
  return changeParts(root, parent.id, (parts) =>
    parts.flatMap((part) => (part.id === id && isGroup(part) ? part.parts : [part])),
  );
}

/** Moves it by one position as displayed: into an adjacent group, and out of its own at the end. */
export function moveNode(root: Group, id: string, way: 'up' | 'down'): Group {
  const parent = parentOf(root, id);
  const node = findNode(root, id);
  if (!parent || !node) return root;
  const at = parent.parts.findIndex((part) => part.id === id);
  const neighbour = parent.parts[way === 'up' ? at - 1 : at + 1];
  if (neighbour && isGroup(neighbour)) return moveTo(root, id, neighbour.id, way === 'up' ? neighbour.parts.length : 0);
  if (neighbour) return moveTo(root, id, parent.id, way === 'up' ? at - 1 : at + 2);
  const outer = parentOf(root, parent.id);
  if (!outer) return root;
  const place = outer.parts.findIndex((part) => part.id === parent.id);
  return moveTo(root, id, outer.id, way === 'up' ? place : place + 1);
}

/** `at` counts the parts as they were before the move. */
export function moveTo(root: Group, id: string, groupId: string, at: number): Group {
  const node = findNode(root, id);
  const from = parentOf(root, id);
  // Nothing can be moved into itself.
  if (!node || !from || findNode(node, groupId)) return root;
  const was = from.parts.findIndex((part) => part.id === id);
  const place = from.id === groupId && was < at ? at - 1 : at;
  if (from.id === groupId && place === was) return root;
  const next = addNode(removeNode(root, id), groupId, node, place);
  return findNode(next, id) ? next : root;
}
