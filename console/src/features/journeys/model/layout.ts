// The layout of the canvas. Steps are not placed by hand: the layout follows from the journey, and everyone sees the same picture.
import { Graph as Dagre, type EdgeLabel, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre';
import type { Graph, GraphNode } from './graph.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}
interface Box extends Point {
  readonly width: number;
  readonly height: number;
}
interface Line {
  /** From the box that it leaves to the one that it reaches. */
  readonly points: readonly Point[];
  /** The middle of the space reserved for its label and button. */
  readonly label: Point;
}
export interface Layout {
  /** By node; x and y are the top left corner. */
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lines: ReadonlyMap<string, Line>;
  readonly width: number;
  readonly height: number;
}

const sizes: Record<GraphNode['kind'], { width: number; height: number }> = {
  entry: { width: 264, height: 68 },
  step: { width: 264, height: 84 },
  end: { width: 72, height: 28 },
};
const labelSize = { width: 170, height: 54 };
const plainSize = { width: 40, height: 34 };

/** `hasLabel`: which lines have a label beside their button. */
export function layOut(graph: Graph, hasLabel: (edge: string) => boolean): Layout {
  const drawn = new Dagre<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true });
  drawn.setGraph({ rankdir: 'TB', ranksep: 22, nodesep: 36, edgesep: 24, marginx: 24, marginy: 24 });
  for (const { id, kind } of graph.nodes) drawn.setNode(id, { ...sizes[kind] });
  for (const { id, place, to } of graph.edges) {
    const size = hasLabel(id) ? labelSize : plainSize;
    drawn.setEdge(place.from, to, { ...size, labelpos: 'c', weight: place.slot === 'next' ? 3 : 1, minlen: 1 }, id);
  }
  // In the order in which they are written, left to right: arms and branches keep their places, even if another order had fewer crossings.
  layout(drawn, { disableOptimalOrderHeuristic: true });
  const boxes = new Map(
    drawn.nodes().map((id) => {
      const { x = 0, y = 0, width = 0, height = 0 } = drawn.node(id);
      return [id, { x: x - width / 2, y: y - height / 2, width, height }];
    }),
  );
  const lines = new Map(
    drawn.edges().map((edge) => {
      const { points = [], x = 0, y = 0 } = drawn.edge(edge);
      const [from, to] = [boxes.get(edge.v), boxes.get(edge.w)];
      return [edge.name ?? '', { points: ends(points, from, to), label: { x, y } }];
    }),
  );
  const { width = 0, height = 0 } = drawn.graph() as { width?: number; height?: number };
  return { boxes, lines, width, height };
}

/** Lines leave at the bottom and arrive at the top; one that goes back up leaves and arrives at the nearest side. */
function ends(points: readonly Point[], from: Box | undefined, to: Box | undefined): Point[] {
  if (!from || !to) return [...points];
  const between = points.slice(1, -1);
  if (to.y > from.y) return [middle(from, 'bottom'), ...between, middle(to, 'top')];
  const [first = { x: from.x, y: from.y }] = between;
  const last = between.at(-1) ?? first;
  return [nearest(from, first), ...between, nearest(to, last)];
}

function middle({ x, y, width, height }: Box, at: 'top' | 'bottom'): Point {
  return { x: x + width / 2, y: at === 'top' ? y : y + height };
}

/** Where a line to this point touches the box: at the top or bottom, as near as possible. */
function nearest({ x, y, width, height }: Box, to: Point): Point {
  return { x: Math.min(Math.max(to.x, x + 16), x + width - 16), y: to.y < y ? y : y + height };
}

/** A smooth curve through the points, vertical at each of them. */
export function pathThrough(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let at = first;
  let path = `M${round(at.x)},${round(at.y)}`;
  for (const point of rest) {
    const half = (at.y + point.y) / 2;
    path += `C${round(at.x)},${round(half)} ${round(point.x)},${round(half)} ${round(point.x)},${round(point.y)}`;
    at = point;
  }
  return path;
}

const round = (value: number): number => Math.round(value * 10) / 10;

export type Direction = 'up' | 'down' | 'left' | 'right';

/** The step that an arrow key goes to: up and down along the lines, left and right to the nearest one. */
export function neighbour(graph: Graph, { boxes }: Layout, id: string, direction: Direction): string | undefined {
  const isStop = (node: string) => !node.startsWith('end:');
  if (direction === 'down') return graph.edges.find((edge) => edge.place.from === id && isStop(edge.to))?.to;
  if (direction === 'up') return graph.edges.find((edge) => edge.to === id)?.place.from;
  const here = boxes.get(id);
  if (!here) return undefined;
  const sign = direction === 'left' ? -1 : 1;
  const beside = [...boxes].filter(([node, box]) => isStop(node) && (box.x - here.x) * sign > box.width / 2);
  const far = (box: Box) => Math.abs(box.y - here.y) * 3 + Math.abs(box.x - here.x);
  return beside.sort(([, one], [, other]) => far(one) - far(other))[0]?.[0];
}
