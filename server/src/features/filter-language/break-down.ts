// What each group and condition does to a filter: the filters that it is compared with. Pure; counting is another matter.
import { type Filter, isGroup } from './tree.js';

/** Undefined in place of a filter: nothing is left of it, so it holds for everyone. */
interface Broken {
  readonly path: string;
  /** The filter up to here: without everything that comes after. */
  readonly upTo: Filter | undefined;
  /** The filter without this part. */
  readonly without: Filter | undefined;
}

/** One for every group and condition, in order, those inside a `where` left out. */
export function breakDown(filter: Filter): Broken[] {
  const order = inOrder(filter);
  const places = new Map(order.map((node, place) => [node, place]));
  return order.map((node, place) => {
    const last = place + inOrder(node).length - 1;
    const placeOf = (other: Filter) => places.get(other) ?? 0;
    return {
      path: node.path,
      upTo: prune(filter, (other) => placeOf(other) <= last),
      without: prune(filter, (other) => placeOf(other) < place || placeOf(other) > last),
    };
  });
}

/** A node and everything inside it. */
function inOrder(node: Filter): Filter[] {
  return isGroup(node) ? [node, ...node.of.flatMap(inOrder)] : [node];
}

/** A group that loses its last part goes with it: an empty one would hold for no one, or for everyone. */
function prune(node: Filter, isKept: (node: Filter) => boolean): Filter | undefined {
  if (!isKept(node)) return undefined;
  if (!isGroup(node) || node.of.length === 0) return node;
  const of = node.of.flatMap((part) => prune(part, isKept) ?? []);
  return of.length === 0 ? undefined : { ...node, of };
}
