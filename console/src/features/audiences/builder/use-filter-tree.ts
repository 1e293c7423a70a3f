// The filter being edited, between input and output: complete conditions are emitted at once, incomplete ones stay here. An inner filter
// emits everything: the outermost one leaves out what is incomplete.
import { useEffect, useMemo, useRef, useState } from 'react';
import { beginHistory, type History, record, redo, undo } from '../../../shared/drafts/history.ts';
import { isComplete } from './model/conditions.ts';
import type { FilterJson } from './model/filter-json.ts';
import { countUnfinished, type Group, jsonOf, pathsOf, treeOf, wholeOf } from './model/tree.ts';

export interface FilterTree {
  root: Group;
  /** Including incomplete conditions. */
  whole: FilterJson;
  /** The path of each node in what was emitted. */
  paths: ReadonlyMap<string, string>;
  unfinished: number;
  /** `about`: changes about the same thing are undone together. */
  change(next: Group, about?: string): void;
  undo: (() => void) | undefined;
  redo: (() => void) | undefined;
}

const everything = () => true;

export function useFilterTree(
  filter: FilterJson,
  onChange: (filter: FilterJson) => void,
  { isInside = false } = {},
): FilterTree {
  const isSent = isInside ? everything : isComplete;
  const [history, setHistory] = useState(() => beginHistory(treeOf(filter)));
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
    if (next.present === latest.current.present) return;
    show(next);
    const json = jsonOf(next.present, isSent);
    const nextText = JSON.stringify(json);
    if (nextText === sent.current) return;
    sent.current = nextText;
    onChange(json);
  };
  const { present: root, past, future } = history;
  return {
    root,
    whole: useMemo(() => wholeOf(root), [root]),
    paths: useMemo(() => pathsOf(root, isSent), [root, isSent]),
    unfinished: useMemo(() => countUnfinished(root, isComplete), [root]),
    change: (next, about) => go(record(latest.current, next, about)),
    undo: past.length > 0 ? () => go(undo(latest.current)) : undefined,
    redo: future.length > 0 ? () => go(redo(latest.current)) : undefined,
  };
}
