// The filter under edit, between what came in and what goes out: finished conditions go out at once, unfinished ones stay here.
import { useEffect, useMemo, useRef, useState } from 'react';
import { isComplete } from './model/conditions.ts';
import type { FilterJson } from './model/filter-json.ts';
import { type History, record, redo, startHistory, undo } from './model/history.ts';
import { conditionsOf, type Group, jsonOf, pathsOf, treeOf } from './model/tree.ts';

export interface FilterTree {
  root: Group;
  /** Where each node stands in what went out. */
  paths: ReadonlyMap<string, string>;
  unfinished: number;
  /** `about`: changes about the same are undone together. */
  change(next: Group, about?: string): void;
  undo: (() => void) | undefined;
  redo: (() => void) | undefined;
}

export function useFilterTree(filter: FilterJson, onChange: (filter: FilterJson) => void): FilterTree {
  const [history, setHistory] = useState(() => startHistory(treeOf(filter)));
  const latest = useRef(history);
  const text = JSON.stringify(filter);
  const sent = useRef(text);
  const show = (next: History<Group>) => {
    latest.current = next;
    setHistory(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a filter that did not come from here starts anew
  useEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    show(record(latest.current, treeOf(filter)));
  }, [text]);
  const go = (next: History<Group>) => {
    if (next.now === latest.current.now) return;
    show(next);
    const json = jsonOf(next.now, isComplete);
    const nextText = JSON.stringify(json);
    if (nextText === sent.current) return;
    sent.current = nextText;
    onChange(json);
  };
  const { now: root, past, future } = history;
  return {
    root,
    paths: useMemo(() => pathsOf(root, isComplete), [root]),
    unfinished: useMemo(() => conditionsOf(root).filter(({ json }) => !isComplete(json)).length, [root]),
    change: (next, about) => go(record(latest.current, next, about)),
    undo: past.length > 0 ? () => go(undo(latest.current)) : undefined,
    redo: future.length > 0 ? () => go(redo(latest.current)) : undefined,
  };
}
