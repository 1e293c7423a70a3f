// Collects what is wrong with a document, each fault with its place. Nothing is changed on the way: a document without faults is the design.

export interface DesignFault {
  /** `design.blocks[3].href` */
  readonly place: string;
  readonly message: string;
}

/** What is wrong with a filter; empty if nothing is. */
export type FilterReader = (json: unknown, place: string) => readonly { path: string; words: string }[];

type Fields = Readonly<Record<string, unknown>>;
export type Read = (value: unknown, place: string, reading: Reading) => void;

// More would not help, and a hostile document could have a hundred thousand.
export const mostFaults = 500;

export class Reading {
  readonly faults: DesignFault[] = [];
  /** How many blocks were met. */
  blocks = 0;
  /** Inside columns: there must be no columns again. */
  isInColumns = false;

  constructor(readonly readFilter: FilterReader) {}

  fault(place: string, message: string): void {
    if (this.faults.length < mostFaults) this.faults.push({ place, message });
  }

  fields(value: unknown, place: string): Fields | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
    this.fault(place, 'an object is wanted');
    return undefined;
  }

  /** Reads an object with exactly these keys. */
  object(
    value: unknown,
    place: string,
    wants: Readonly<Record<string, Read>>,
    may: Readonly<Record<string, Read>> = {},
  ): void {
    const fields = this.fields(value, place);
    if (!fields) return;
    for (const key of Object.keys(wants))
      if (!Object.hasOwn(fields, key)) this.fault(placeOf(place, key), 'is required');
    for (const [key, inside] of Object.entries(fields)) {
      const read = Object.hasOwn(wants, key) ? wants[key] : Object.hasOwn(may, key) ? may[key] : undefined;
      if (read) read(inside, placeOf(place, key), this);
      else this.fault(placeOf(place, key), 'not known here');
    }
  }

  list(value: unknown, place: string, least: number, most: number, read: Read): void {
    if (!Array.isArray(value)) {
      this.fault(place, 'a list is wanted');
      return;
    }
    if (value.length < least || value.length > most)
      this.fault(place, `a list of ${least} to ${most.toLocaleString('en')} is wanted`);
    // What is over the limit is not looked at.
    for (let i = 0; i < value.length && i < most; i++) read(value[i], `${place}[${i}]`, this);
  }
}

const plainKey = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const mostShown = 40;

/** The place of a key. Keys come from outside: one that is no plain name is quoted, and cut if it is long. */
export function placeOf(place: string, key: string): string {
  if (plainKey.test(key)) return `${place}.${key}`;
  return `${place}[${JSON.stringify(key.length > mostShown ? `${key.slice(0, mostShown)}…` : key)}]`;
}
