// When keys come and go. Pure.

const day = 86_400;
/** Seconds that a key signs before a new one is made. */
const renewedAfter = 90 * day;
/** Seconds that an old key is still published after it last signed. */
const keptAfter = 7 * day;
/**
 * Seconds that a new key is published before it signs: every node has it by then, so that a client that asks any of them for keys gets the one
 * that signed.
 */
export const restsFor = 600;

/** A key and its age. `family`: keys that replace each other, such as all of one algorithm. */
export interface Aged {
  keyId: string;
  family: string;
  /** Seconds. */
  age: number;
}

interface Plan {
  /** Families that need a new key now. */
  makes: string[];
  /** Keys that are no longer needed. */
  drops: string[];
}

/** What to do with the existing keys. */
export function planKeys(keys: readonly Aged[], families: readonly string[]): Plan {
  const newest = new Map<string, number>();
  for (const { family, age } of keys) newest.set(family, Math.min(age, newest.get(family) ?? Number.POSITIVE_INFINITY));
  return {
    makes: families.filter((family) => (newest.get(family) ?? Number.POSITIVE_INFINITY) >= renewedAfter),
    drops: keys
      .filter(({ keyId, family, age }) =>
        keys.some(
          (other) =>
            other.family === family && other.keyId !== keyId && other.age < age && other.age >= restsFor + keptAfter,
        ),
      )
      .map(({ keyId }) => keyId),
  };
}

/** In the order of use, the one that signs first: the newest that every node knows. One that is too new signs only where it is alone. */
export function inOrder<T extends Aged>(keys: readonly T[]): T[] {
  const byAge = [...keys].sort((a, b) => a.age - b.age);
  return [...byAge.filter(({ age }) => age >= restsFor), ...byAge.filter(({ age }) => age < restsFor)];
}
