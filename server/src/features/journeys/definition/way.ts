import type { Next } from './definition.js';
import type { Part } from './part.js';

/** Where one step leads, collected while it is read. */
export class Way {
  readonly exits = new Set<number>();
  /** Some of its exits cannot be told: the graph is not worth looking at. */
  isBroken = false;

  constructor(
    /** The places of all steps, by their ids. */
    private readonly places: ReadonlyMap<string, number>,
    /** The step that follows. */
    readonly following: Next,
  ) {}

  /** Where a key leads. Absent: as `fallback` does. */
  go(part: Part, key: string, fallback: Next): Next {
    return this.take(this.look(part, key, fallback));
  }

  /** The same, but it does not count as an exit yet. */
  look(part: Part, key: string, fallback: Next): Next {
    if (!part.has(key)) return fallback;
    const value = part.fields[key];
    if (value === null || (typeof value === 'string' && this.places.has(value))) return value;
    this.isBroken = true;
    part.faults.add(
      part.placeOf(key),
      typeof value === 'string' ? 'no step has this id' : 'the id of a step is wanted, or null for the end',
    );
    return null;
  }

  take(next: Next): Next {
    const place = next === null ? undefined : this.places.get(next);
    if (place !== undefined) this.exits.add(place);
    return next;
  }
}
