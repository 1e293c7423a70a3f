import type { Subject } from './subject.js';

/** The kinds of conditions that other features brought. */
export class Subjects {
  readonly keys: readonly string[];
  readonly #byKey: ReadonlyMap<string, Subject>;

  constructor(all: readonly Subject[]) {
    this.#byKey = new Map(all.map((subject) => [subject.key, subject]));
    this.keys = [...this.#byKey.keys()];
    if (this.keys.length < all.length) throw new Error('Two subjects of filters have one key');
  }

  of(key: string): Subject | undefined {
    return this.#byKey.get(key);
  }
}
