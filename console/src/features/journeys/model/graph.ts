// A definition as nodes and edges: the entry, the steps, an end wherever a way leads nowhere, and an edge for every way.
import type { Definition, Step } from './definition.ts';
import { entryId, entryPlace, type Place } from './edit.ts';
import { waysOf } from './ways.ts';

export type GraphNode =
  | { readonly kind: 'entry'; readonly id: string }
  | { readonly kind: 'step'; readonly id: string; readonly step: Step }
  | { readonly kind: 'end'; readonly id: string };

interface GraphEdge {
  readonly id: string;
  readonly place: Place;
  readonly to: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export const edgeId = ({ from, slot }: Place): string => `${from}:${slot}`;

/** A way to a missing step ends too: the service says what is wrong with it. */
export function graphOf(definition: Definition): Graph {
  const ids = new Set(definition.steps.map(({ id }) => id));
  const nodes: GraphNode[] = [{ kind: 'entry', id: entryId }];
  const edges: GraphEdge[] = [];
  const lead = (place: Place, to: string | null) => {
    const id = edgeId(place);
    const isEnd = to === null || !ids.has(to);
    edges.push({ id, place, to: isEnd ? endId(id) : to });
    return isEnd ? [{ kind: 'end' as const, id: endId(id) }] : [];
  };
  const ends = lead(entryPlace, definition.steps[0]?.id ?? null);
  for (const step of definition.steps) {
    nodes.push({ kind: 'step', id: step.id, step });
    for (const { slot, to } of waysOf(step)) ends.push(...lead({ from: step.id, slot }, to));
  }
  return { nodes: [...nodes, ...ends], edges };
}

const endId = (edge: string): string => `end:${edge}`;
