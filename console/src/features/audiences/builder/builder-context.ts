// What every part of a builder knows about the whole.
import { type ComponentType, createContext, useContext } from 'react';
import type { FilterJson } from './model/filter-json.ts';
import type { FilterTree } from './use-filter-tree.ts';

/** Whether the conditions are about people or about one event. */
export type BuilderSubject = 'contact' | 'event';

/** The result for one contact at a node. */
export interface Mark {
  holds: boolean;
  value?: unknown;
}

/** What parts of the filter do to the number of contacts. */
export interface Counts {
  count: number;
  isExact: boolean;
  /** By path; undefined while they are counted. */
  nodes: ReadonlyMap<string, { left: number; without: number }> | undefined;
}

/** A filter inside a condition. */
export interface NestedFilterProps {
  title: string;
  filter: FilterJson;
  subject: BuilderSubject;
  eventName?: string | undefined;
  isWithinMembers?: boolean;
  onChange: (filter: FilterJson) => void;
  onRemove?: () => void;
}

interface BuilderState {
  tree: FilterTree;
  subject: BuilderSubject;
  /** The event whose properties are suggested, if conditions are about an event. */
  eventName: string | undefined;
  /** Members of organizations cannot be asked about members again. */
  isWithinMembers: boolean;
  isReadOnly: boolean;
  /** Keys of properties to offer first. */
  suggested: readonly string[];
  faults: ReadonlyMap<string, readonly string[]>;
  /** By path: `filter.all[0]`. */
  marks: ReadonlyMap<string, Mark> | undefined;
  /** Undefined where they are not counted. */
  counts: Counts | undefined;
  /** The condition that was just added: its picker opens by itself. */
  fresh: string | undefined;
  setFresh: (id: string | undefined) => void;
  /** What was moved by a key, until it has the focus again. */
  moved: string | undefined;
  setMoved: (id: string | undefined) => void;
  /** Filters contain conditions, and conditions contain filters: passed down, so that no file imports itself. */
  NestedFilter: ComponentType<NestedFilterProps>;
}

export const BuilderContext = createContext<BuilderState | undefined>(undefined);

export function useBuilder(): BuilderState {
  const builder = useContext(BuilderContext);
  if (!builder) throw new Error('There is no filter builder above.');
  return builder;
}
