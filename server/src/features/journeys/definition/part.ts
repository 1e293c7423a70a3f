import {
  type Fault,
  type Fields,
  FilterFault,
  FilterFaults,
  placeOf,
  readObject,
} from '../../filter-language/index.js';

// Reads one object of a definition key by key and notes what is wrong instead of ending there: an author hears of every fault at once.

type Read<T> = (value: unknown, place: string) => T;

/** An author is told every fault of 200 steps; a hostile definition could have tens of thousands. */
export const mostTold = 1000;

export class Faults {
  readonly #found: Fault[] = [];

  /** How many more are told: a filter is not read on for others. */
  get left(): number {
    return Math.max(1, mostTold - this.#found.length);
  }

  add(path: string, words: string): void {
    this.#found.push({ path, words });
  }

  /** What was read, or undefined where it was faulty. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (error instanceof FilterFaults) this.#found.push(...error.faults);
      else if (error instanceof FilterFault) this.#found.push(error);
      else throw error;
      return undefined;
    }
  }

  /** Throws what was found. */
  end(): void {
    if (this.#found.length > 0) throw new FilterFaults(this.#found, mostTold);
  }
}

export class Part {
  readonly #known = new Set<string>();

  constructor(
    readonly fields: Fields,
    readonly place: string,
    readonly faults: Faults,
  ) {}

  /** Undefined where there is no object. */
  static of(value: unknown, place: string, faults: Faults, words?: string): Part | undefined {
    const fields = faults.attempt(() => readObject(value, place, words));
    return fields && new Part(fields, place, faults);
  }

  has(key: string): boolean {
    this.#known.add(key);
    return Object.hasOwn(this.fields, key);
  }

  placeOf(key: string): string {
    return placeOf(this.place, key);
  }

  optional<T>(key: string, read: Read<T>): T | undefined {
    if (!this.has(key)) return undefined;
    return this.faults.attempt(() => read(this.fields[key], this.placeOf(key)));
  }

  /** `spare` stands in for what is missing or faulty: it is never seen, because the faults are thrown in the end. */
  wanted<T>(key: string, read: Read<T>, spare: T): T {
    if (this.has(key)) return this.optional(key, read) ?? spare;
    this.faults.add(this.placeOf(key), `"${key}" is wanted`);
    return spare;
  }

  /** The one of these keys that is there. */
  oneOf<const Key extends string>(keys: readonly Key[]): Key | undefined {
    const found = keys.filter((key) => this.has(key));
    const words = keys.map((key) => `"${key}"`).join(', ');
    if (found.length === 0) this.faults.add(this.place, `one of ${words} is wanted`);
    if (found.length > 1) this.faults.add(this.place, `only one of ${words} is wanted`);
    return found[0];
  }

  /** An object at a key. */
  part(key: string): Part | undefined {
    if (!this.has(key)) {
      this.faults.add(this.placeOf(key), `"${key}" is wanted`);
      return undefined;
    }
    return Part.of(this.fields[key], this.placeOf(key), this.faults);
  }

  optionalPart(key: string): Part | undefined {
    return this.has(key) ? this.part(key) : undefined;
  }

  /** Refuses every key that was not asked for. */
  end(): void {
    for (const key of Object.keys(this.fields))
      if (!this.#known.has(key)) this.faults.add(this.placeOf(key), 'not known here');
  }
}
