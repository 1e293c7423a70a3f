// What is wrong with a filter, and where.
import { sayFault } from '@rapport/contract';
import { ApiError, errorItem } from '../../http/api-error.js';

export interface Fault {
  /** The place: `filter.all[2].gt`. */
  readonly path: string;
  /** What is wrong there: `a number is wanted`. */
  readonly words: string;
}

/** One fault: what readers of a part throw. */
export class FilterFault extends Error implements Fault {
  constructor(
    readonly path: string,
    readonly words: string,
  ) {
    super(sayFault(path, words));
  }
}

/** More would not help, and a hostile filter could have millions. */
export const mostFaults = 20;

/** All that was found, in the order of the filter. `most`: what is larger than a filter may have more to tell. */
export class FilterFaults extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[], most = mostFaults) {
    const shown = faults.slice(0, most).map(({ path, words }) => ({ path, words }));
    super(shown.map(({ path, words }) => sayFault(path, words)).join('\n'));
    this.faults = shown;
  }
}

/** A 400 with an item for each fault of a filter; the detail begins with its place. */
export function faulty(faults: readonly Fault[]): ApiError {
  const items = faults.map(({ path, words }) => {
    const detail = sayFault(path, words);
    return errorItem('VALIDATION_ERROR', { reason: `${detail}.` }, detail);
  });
  return new ApiError('VALIDATION_ERROR', { reason: items[0]?.message }, { items });
}

const plainKey = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const mostShown = 40;

/** The place of a key. Keys come from outside: one that is no plain name is quoted, and cut where it is long. */
export function placeOf(path: string, key: string): string {
  if (plainKey.test(key)) return `${path}.${key}`;
  // JSON has escapes for control characters and for half a surrogate pair.
  return `${path}[${JSON.stringify(key.length > mostShown ? `${key.slice(0, mostShown)}…` : key)}]`;
}

/** Words in a row: `"a", "b" or "c"`. */
export function listOf(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
