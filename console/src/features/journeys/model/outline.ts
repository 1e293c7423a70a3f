// A journey as a list that reads from top to bottom: for phones, and for screen readers.
import type { Definition } from './definition.ts';
import { entryId, type Place, targetOf } from './edit.ts';
import { waysOf } from './ways.ts';

export type OutlineItem =
  | { readonly kind: 'step'; readonly id: string; readonly depth: number }
  /** One of several ways out of a step. */
  | { readonly kind: 'way'; readonly place: Place; readonly depth: number }
  /** The way continues at a step that is listed elsewhere. */
  | { readonly kind: 'goto'; readonly to: string; readonly place: Place; readonly depth: number }
  | { readonly kind: 'end'; readonly place: Place; readonly depth: number };

export function outlineOf(definition: Definition): OutlineItem[] {
  const items: OutlineItem[] = [];
  const told = new Set<string>();
  const byId = new Map(definition.steps.map((step) => [step.id, step]));
  const follow = (place: Place, depth: number) => {
    const to = targetOf(definition, place);
    if (to === null || !byId.has(to)) items.push({ kind: 'end', place, depth });
    else if (told.has(to)) items.push({ kind: 'goto', to, place, depth });
    else tell(to, depth);
  };
  const tell = (id: string, depth: number) => {
    const step = byId.get(id);
    if (!step) return;
    told.add(id);
    items.push({ kind: 'step', id, depth });
    const ways = waysOf(step);
    const [only] = ways;
    if (ways.length === 1 && only) return follow({ from: id, slot: only.slot }, depth);
    for (const { slot } of ways) {
      items.push({ kind: 'way', place: { from: id, slot }, depth: depth + 1 });
      follow({ from: id, slot }, depth + 1);
    }
  };
  follow({ from: entryId, slot: 'next' }, 0);
  // Unreachable steps come last, so that they can be fixed.
  for (const { id } of definition.steps) if (!told.has(id)) tell(id, 0);
  return items;
}
