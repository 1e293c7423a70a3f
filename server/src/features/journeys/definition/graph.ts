// Where steps lead: finds steps that cannot be reached, and circles without a wait.
import type { Faults } from './part.js';

export interface Node {
  readonly id: string;
  readonly place: string;
  readonly isWait: boolean;
  /** The places in the row of those that it leads to. */
  readonly exits: ReadonlySet<number>;
}

export function checkGraph(nodes: readonly Node[], faults: Faults): void {
  const reached = reach(nodes, 0).add(0);
  nodes.forEach(({ place, id }, i) => {
    if (!reached.has(i)) faults.add(place, `no way leads to the step "${id}"`);
  });
  const named = new Set<number>();
  nodes.forEach(({ place }, i) => {
    const circle = named.has(i) ? [] : circleOf(nodes, i);
    for (const other of circle) named.add(other);
    const ids = circle.slice(0, mostNamed).map((other) => `"${nodes[other]?.id}"`);
    if (circle.length > ids.length) ids.push('…');
    if (circle.length > 0) faults.add(place, `a circle without "delay" or "waitUntil" in it: ${ids.join(', ')}`);
  });
}
const mostNamed = 10;

/** All that can be reached by going on from a step; the step itself only where a way leads back. */
function reach(nodes: readonly Node[], from: number, isWay = (_: Node) => true): Set<number> {
  const reached = new Set<number>();
  const ahead = [from];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    const node = nodes[at];
    if (node === undefined || !isWay(node)) continue;
    for (const exit of node.exits) {
      if (reached.has(exit)) continue;
      reached.add(exit);
      ahead.push(exit);
    }
  }
  return reached;
}

/** The steps from which a way leads to this one and back without a wait. None where there is no such way. */
function circleOf(nodes: readonly Node[], from: number): number[] {
  const isHasty = (node: Node) => !node.isWait;
  if (nodes[from]?.isWait) return [];
  const ahead = reach(nodes, from, isHasty);
  if (!ahead.has(from)) return [];
  return [...ahead]
    .filter((other) => nodes[other]?.isWait === false && reach(nodes, other, isHasty).has(from))
    .sort((a, b) => a - b);
}
