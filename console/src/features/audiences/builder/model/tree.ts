// A filter being edited: a tree whose groups and conditions keep their identity while they are moved and changed.

import { isObject } from '@rapport/contract';
import { type FilterJson, type GroupWord, groupOf } from './filter-json.ts';
import { innerFilters, withInner } from './inner.ts';

export interface Condition {
  readonly id: string;
  /** As it will be sent; it may be incomplete. */
  readonly json: FilterJson;
}

export interface Group {
  readonly id: string;
  readonly word: GroupWord;
  readonly parts: readonly Node[];
  /** The filter was one condition without a group, and stays so as long as it is the only one. */
  readonly isBare?: boolean;
}

export type Node = Condition | Group;

export const isGroup = (node: Node): node is Group => 'parts' in node;

let made = 0;
export const newId = (): string => `n${++made}`;

export const conditionOf = (json: FilterJson): Condition => ({ id: newId(), json });
export const groupWith = (word: GroupWord, parts: readonly Node[]): Group => ({ id: newId(), word, parts });

export function treeOf(json: FilterJson): Group {
  const node = nodeOf(json);
  return isGroup(node) ? node : { ...groupWith('all', [node]), isBare: true };
}

function nodeOf(json: FilterJson): Node {
  const group = groupOf(json);
  if (!group) return conditionOf(json);
  return groupWith(
    group.word,
    group.parts.map((part) => nodeOf(isObject(part) ? part : {})),
  );
}

type IsComplete = (json: FilterJson) => boolean;

/** What can be sent: incomplete conditions are left out, including inner ones. */
export function jsonOf(root: Group, isComplete: IsComplete): FilterJson {
  const parts = sentParts(root, isComplete).map((part) =>
    isGroup(part)
      ? jsonOf({ ...part, isBare: false }, isComplete)
      : withInner(part.json, (inner) => jsonOf(treeOf(inner), isComplete)),
  );
  const [only] = parts;
  return root.isBare && only && isAlone(root) ? only : { [root.word]: parts };
}

/** All of it, as it is. */
export const wholeOf = (root: Group): FilterJson => jsonOf(root, () => true);

function sentParts(group: Group, isComplete: IsComplete): readonly Node[] {
  return group.parts.filter((part) => isGroup(part) || isComplete(part.json));
}

function isAlone({ parts: [first], parts }: Group): boolean {
  return parts.length === 1 && first !== undefined && !isGroup(first);
}

/** The path of each node in what is sent, as used by faults and explanations. */
export function pathsOf(root: Group, isComplete: IsComplete, top = 'filter'): Map<string, string> {
  const paths = new Map([[root.id, top]]);
  const walk = (group: Group, path: string) => {
    sentParts(group, isComplete).forEach((part, at) => {
      const place = group.isBare && isAlone(group) ? path : `${path}.${group.word}[${at}]`;
      paths.set(part.id, place);
      if (isGroup(part)) walk(part, place);
    });
  };
  walk(root, top);
  return paths;
}

export function conditionsOf(node: Node): readonly Condition[] {
  return isGroup(node) ? node.parts.flatMap(conditionsOf) : [node];
}

/** How many conditions are incomplete, including inner ones. */
export function countUnfinished(node: Node, isComplete: IsComplete): number {
  return conditionsOf(node)
    .flatMap(({ json }) => [
      isComplete(json) ? 0 : 1,
      ...innerFilters(json).map((inner) => countUnfinished(treeOf(inner), isComplete)),
    ])
    .reduce((sum, count) => sum + count, 0);
}

/** How deeply groups are nested. */
export function depthOf(node: Node): number {
  return isGroup(node) ? 1 + Math.max(0, ...node.parts.map(depthOf)) : 0;
}

export function findNode(node: Node, id: string): Node | undefined {
  if (node.id === id) return node;
  if (!isGroup(node)) return undefined;
  for (const part of node.parts) {
    const found = findNode(part, id);
    if (found) return found;
  }
  return undefined;
}

export function parentOf(root: Group, id: string): Group | undefined {
  if (root.parts.some((part) => part.id === id)) return root;
  for (const part of root.parts) {
    const found = isGroup(part) ? parentOf(part, id) : undefined;
    if (found) return found;
  }
  return undefined;
}
