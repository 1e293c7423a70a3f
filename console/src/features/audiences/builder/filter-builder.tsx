// The console's one filter builder: for lists, contacts and journeys, and over one event for the `where` of events. Incomplete conditions
// stay in the builder, and in this browser, and are left out of its value; `onUnfinished` reports how many there are.
import { ActionIcon, Group as Row, SegmentedControl, Text, Tooltip } from '@mantine/core';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { RedoIcon, UndoIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/filter.ts';
import classes from './builder.module.css';
import { BuilderContext, type BuilderSubject, type Counts, type Mark } from './builder-context.ts';
import { GroupView } from './group-view.tsx';
import { JsonView, UnreadableJson } from './json-view.tsx';
import { type Fault, faultsByNode } from './model/faults.ts';
import type { FilterJson } from './model/filter-json.ts';
import { treeOf } from './model/tree.ts';
import { NestedFilter } from './nested-filter.tsx';
import { Suggested } from './suggested.tsx';
import { type FilterTree, useFilterTree } from './use-filter-tree.ts';
import { useUnfinished } from './use-unfinished.ts';

export type { Counts, Mark } from './builder-context.ts';
export { type Fault, faultsOf } from './model/faults.ts';
export { asFilter, everybody, type FilterJson, isEmptyFilter } from './model/filter-json.ts';

interface FilterBuilderProps {
  /** The key under which incomplete conditions are kept. */
  place: string;
  filter: FilterJson;
  onChange: (filter: FilterJson) => void;
  isReadOnly?: boolean;
  /** The faults, each with its path below `filter`, as returned by `faultsOf(error)`. */
  faults?: readonly Fault[];
  /** What conditions are about: contacts by default. */
  subject?: BuilderSubject;
  /** The event whose properties are suggested, if they are about one event. */
  eventName?: string;
  /** Properties to offer first: those from a recent import. */
  suggested?: readonly string[];
  /** For one contact, by path: shown at each condition. */
  marks?: ReadonlyMap<string, Mark> | undefined;
  /** What each part does to the number of contacts: shown at it. */
  counts?: Counts | undefined;
  onUnfinished?: (count: number) => void;
  label?: string;
}

const none: readonly never[] = [];

export function FilterBuilder(props: FilterBuilderProps) {
  const { filter, onChange, isReadOnly = false, faults = none, subject = 'contact', suggested = none } = props;
  const tree = useFilterTree(filter, onChange);
  const [fresh, setFresh] = useState<string>();
  const [moved, setMoved] = useState<string>();
  const [view, setView] = useState<'visual' | 'json'>('visual');
  /** JSON that cannot be parsed as a filter, until it is discarded. */
  const [unreadable, setUnreadable] = useState<string>();
  const unfinished = tree.unfinished + (unreadable === undefined ? 0 : 1);
  const isRestored = useUnfinished({
    ...{ place: props.place, filter },
    unfinished: unfinished > 0 && !isReadOnly ? { whole: tree.whole, text: unreadable } : undefined,
    onFound: ({ whole, text }) => {
      tree.change(treeOf(whole));
      setUnreadable(text);
    },
  });
  const { onUnfinished } = props;
  useEffect(() => onUnfinished?.(unfinished), [onUnfinished, unfinished]);
  const isHidden = view === 'visual' && unreadable !== undefined;
  const byNode = useMemo(() => faultsByNode(faults, tree.paths), [faults, tree.paths]);
  const state = {
    ...{ tree, subject, isReadOnly, suggested, fresh, setFresh, moved, setMoved, NestedFilter },
    eventName: props.eventName,
    isWithinMembers: false,
    faults: byNode,
    marks: props.marks,
    counts: props.counts,
  };
  return (
    <BuilderContext value={state}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields inside come through here */}
      <div className={classes.builder} onKeyDown={(event) => takeBack(event, tree)}>
        <Head
          tree={tree}
          view={view}
          setView={setView}
          isReadOnly={isReadOnly}
          isFixed={view === 'json' && unreadable !== undefined}
        />
        {(isRestored || isHidden) && (
          <div className={classes.notes}>
            {isRestored && (
              <Text c="dimmed" role="status">
                {t.restored}
              </Text>
            )}
            {isHidden && (
              <UnreadableJson
                text={unreadable}
                onShow={() => setView('json')}
                onDiscard={() => setUnreadable(undefined)}
              />
            )}
          </div>
        )}
        {view === 'json' ? (
          <JsonView
            whole={tree.whole}
            unreadable={unreadable}
            onUnreadable={setUnreadable}
            onChange={(read) => tree.change(treeOf(read), 'json')}
            faults={faults}
            isReadOnly={isReadOnly}
          />
        ) : (
          <GroupView group={tree.root} label={props.label ?? t.filter} />
        )}
        {view === 'visual' && !isReadOnly && subject === 'contact' && <Suggested />}
      </div>
    </BuilderContext>
  );
}

interface HeadProps {
  tree: FilterTree;
  view: 'visual' | 'json';
  setView: (view: 'visual' | 'json') => void;
  isReadOnly: boolean;
  /** While there is text that undo would not restore. */
  isFixed: boolean;
}

function Head({ tree, view, setView, isReadOnly, isFixed }: HeadProps) {
  const step = (label: string, act: (() => void) | undefined, icon: typeof UndoIcon) => {
    const Icon = icon;
    return (
      <Tooltip label={label}>
        <ActionIcon
          className={classes.stepBack ?? ''}
          variant="subtle"
          color="gray"
          aria-label={label}
          disabled={!act}
          onClick={() => act?.()}
        >
          <Icon />
        </ActionIcon>
      </Tooltip>
    );
  };
  return (
    <div className={classes.head}>
      {!isReadOnly && (
        <Row gap={2}>
          {step(t.undo, isFixed ? undefined : tree.undo, UndoIcon)}
          {step(t.redo, isFixed ? undefined : tree.redo, RedoIcon)}
        </Row>
      )}
      <SegmentedControl
        aria-label={t.view}
        value={view}
        onChange={(next) => setView(next === 'json' ? 'json' : 'visual')}
        data={[
          { value: 'visual', label: t.visual },
          { value: 'json', label: t.editJson },
        ]}
      />
    </div>
  );
}

/** ⌘Z and ⇧⌘Z, but not in a field: there they apply to its text. */
function takeBack(event: KeyboardEvent, { undo, redo }: FilterTree): void {
  if (event.key.toLowerCase() !== 'z' || !(event.metaKey || event.ctrlKey)) return;
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
  event.preventDefault();
  (event.shiftKey ? redo : undo)?.();
}
