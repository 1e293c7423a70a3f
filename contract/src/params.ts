// Query parameters as data. The reader in the server's http/ folder is written once, from this.

interface ParamBase {
  description: string;
  /** May be given several times, and with a `[]` suffix. */
  repeatable: boolean;
  required?: boolean;
  /** Came after version 1 was settled, where it is ignored as every unknown parameter is. */
  onlyV2?: boolean;
}
export interface WholeParam extends ParamBase {
  kind: 'whole';
  min: number;
  max: number;
  default: number;
}
export interface TextParam extends ParamBase {
  kind: 'text';
  /** `search=` means no filter; `folderId=` means a folder that is not there. */
  emptyIsAbsent: boolean;
}
export interface ChoiceParam<W extends string = string> extends ParamBase {
  kind: 'choice';
  words: readonly W[];
}
export interface InstantParam extends ParamBase {
  kind: 'instant';
}
export type Param = WholeParam | TextParam | ChoiceParam | InstantParam;
export type Params = Readonly<Record<string, Param>>;

type One<P extends Param> = P extends WholeParam ? number : P extends ChoiceParam<infer W> ? W : string;
type Value<P extends Param> = P extends { repeatable: true }
  ? One<P>[]
  : P extends WholeParam | { required: true }
    ? One<P>
    : One<P> | undefined;
/** What a handler gets: single values, arrays for repeatable ones, numbers with their default. */
export type ParamValues<Q extends Params> = { [K in keyof Q]: Value<Q[K]> };

/** Those that a version of the API knows. */
export function paramsIn(version: 'v1' | 'v2', params: Params = {}): Params {
  if (version !== 'v1') return params;
  return Object.fromEntries(Object.entries(params).filter(([, param]) => !param.onlyV2));
}

export const paging = {
  pageNumber: {
    kind: 'whole',
    min: 1,
    max: 2_147_483_647,
    default: 1,
    repeatable: false,
    description: 'Page to read, from 1.',
  },
  pageSize: {
    kind: 'whole',
    min: 1,
    max: 200,
    default: 20,
    repeatable: false,
    description: 'Rows on a page, 1 to 200.',
  },
} as const satisfies Params;

export const search = {
  kind: 'text',
  emptyIsAbsent: true,
  repeatable: false,
  description: 'Case-insensitive substring. Every character is literal; empty means no filter.',
} as const satisfies Param;

/** A filter in a query string. The feature reads it, and names the place of what is wrong. */
export const filterParam = {
  kind: 'text',
  emptyIsAbsent: true,
  repeatable: false,
  description:
    'Which contacts are meant: JSON text in the language of the filters of dynamic lists, at most 16 KiB. What is wrong is named with its place: `filter.all[0]`.',
} as const satisfies Param;
export const requiredFilterParam = { ...filterParam, emptyIsAbsent: false, required: true } as const satisfies Param;

export function choice<const W extends string>(words: readonly W[], description: string) {
  return { kind: 'choice', words, repeatable: false, description } as const;
}
