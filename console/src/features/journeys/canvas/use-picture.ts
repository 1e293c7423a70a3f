import { useMemo } from 'react';
import type { Definition } from '../model/definition.ts';
import { stepOf } from '../model/edit.ts';
import { type Graph, graphOf } from '../model/graph.ts';
import { type Layout, layOut, pathThrough } from '../model/layout.ts';
import { sayWay } from '../model/say.ts';
import type { StepNodeOf } from './nodes.tsx';
import type { WayEdgeOf } from './way-edge.tsx';

export interface Picture {
  readonly graph: Graph;
  readonly layout: Layout;
  readonly nodes: StepNodeOf[];
  readonly edges: WayEdgeOf[];
}

/** What the canvas draws. Rebuilt with each edit, so that undo moves everything back, too. */
export function usePicture(definition: Definition): Picture {
  return useMemo(() => {
    const graph = graphOf(definition);
    const layout = layOut(graph, (edge) => {
      const place = graph.edges.find(({ id }) => id === edge)?.place;
      const step = place && stepOf(definition, place.from);
      return step !== undefined && sayWay(step, place?.slot ?? '') !== undefined;
    });
    const nodes = graph.nodes.map((node) => {
      const { x = 0, y = 0, width = 0, height = 0 } = layout.boxes.get(node.id) ?? {};
      const step = node.kind === 'step' ? node.step : undefined;
      return { id: node.id, type: node.kind, position: { x, y }, width, height, data: { step } } as StepNodeOf;
    });
    const edges = graph.edges.flatMap(({ id, place, to }): WayEdgeOf[] => {
      const line = layout.lines.get(id);
      if (!line) return [];
      const data = { place, path: pathThrough(line.points), label: line.label };
      return [{ id, type: 'way', source: place.from, target: to, data }];
    });
    return { graph, layout, nodes, edges };
  }, [definition]);
}
