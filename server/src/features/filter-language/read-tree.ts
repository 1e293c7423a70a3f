// Groups: the same over contacts and over events.
import { filterLimits } from '@rapport/contract';
import { FilterFault, FilterFaults, mostFaults, placeOf } from './fault.js';
import { type Fields, quoted, readObject } from './read-value.js';
import type { Subjects } from './subjects.js';
import type { Group } from './tree.js';

const { depth: mostDepth, conditions: mostConditions } = filterLimits;
/** As many as 200 conditions need where each stands alone in ten groups: without a bound, empty ones are work for nothing. */
const mostGroups = mostDepth * mostConditions;

const kinds = ['all', 'any', 'none'] as const;

type Tree<Part> = Group<Tree<Part>> | Part;

/** One reading of one filter: what was counted and found so far. */
export class Reading {
  readonly subjects: Subjects;
  readonly #root: string;
  readonly #faults: FilterFault[] = [];
  #conditions = 0;
  #groups = 0;

  /** `most`: so many faults are told. */
  constructor(
    root: string,
    subjects: Subjects,
    readonly most = mostFaults,
  ) {
    this.#root = root;
    this.subjects = subjects;
  }

  countCondition(): void {
    if (++this.#conditions > mostConditions) {
      this.#end(`a filter has at most ${mostConditions} conditions, those of every "where" included`);
    }
  }

  countGroup(): void {
    if (++this.#groups > mostGroups) this.#end(`a filter has at most ${mostGroups.toLocaleString('en')} groups`);
  }

  add(fault: FilterFault): void {
    this.#faults.push(fault);
    if (this.#faults.length >= this.most) this.end();
  }

  /** Throws what was found. */
  end(): void {
    if (this.#faults.length > 0) throw new FilterFaults(this.#faults, this.most);
  }

  #end(words: string): never {
    this.#faults.push(new FilterFault(this.#root, words));
    throw new FilterFaults(this.#faults, this.most);
  }
}

export type ReadCondition<Part> = (fields: Fields, path: string, reading: Reading) => Part;

/** Reads a group or a condition. A fault is noted and the rest read on: what is answered then is thrown away at the end. */
export function readTree<Part>(
  json: unknown,
  path: string,
  reading: Reading,
  readCondition: ReadCondition<Part>,
  depth = 1,
): Tree<Part> {
  try {
    const fields = readObject(json, path, 'a filter is wanted: an object that is a group or a condition');
    const kind = kindOf(fields, path);
    if (kind === undefined) {
      reading.countCondition();
      return readCondition(fields, path, reading);
    }
    reading.countGroup();
    if (depth > mostDepth) throw new FilterFault(path, `groups are nested at most ${mostDepth} deep`);
    const parts = readParts(fields[kind], `${path}.${kind}`);
    const of = parts.map((part, i) => readTree(part, `${path}.${kind}[${i}]`, reading, readCondition, depth + 1));
    return { kind, path, of };
  } catch (fault) {
    if (!(fault instanceof FilterFault)) throw fault;
    reading.add(fault);
    return { kind: 'all', path, of: [] };
  }
}

function readParts(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new FilterFault(path, 'a list of filters is wanted');
  return value;
}

function kindOf(fields: Fields, path: string): (typeof kinds)[number] | undefined {
  const found = kinds.filter((kind) => Object.hasOwn(fields, kind));
  if (found.length > 1) throw new FilterFault(path, `one group is wanted, not ${quoted(found, 'and')}`);
  const [kind] = found;
  const other = kind && Object.keys(fields).find((key) => key !== kind);
  if (other !== undefined) throw new FilterFault(placeOf(path, other), `nothing stands beside "${kind}" of a group`);
  return kind;
}
