// The one filter builder of the console: for lists, contacts and journeys, and over one event for the `where` of events. Conditions that
// are not finished stay in the builder and are left out of what it gives; `onUnfinished` tells how many there are.
import { ActionIcon, Group as Row, SegmentedControl, Tooltip } from '@mantine/core';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useState } from 'react';
import { RedoIcon, UndoIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/filter.ts';
import classes from './builder.module.css';
import { BuilderContext, type BuilderSubject, type Mark } from './builder-context.ts';
import { GroupView } from './group-view.tsx';
import { JsonView } from './json-view.tsx';
import { type Fault, faultsByNode } from './model/faults.ts';
import type { FilterJson } from './model/filter-json.ts';
import { NestedFilter } from './nested-filter.tsx';
import { Suggested } from './suggested.tsx';
import { type FilterTree, useFilterTree } from './use-filter-tree.ts';

export type { Mark } from './builder-context.ts';
export { type Fault, faultsOf } from './model/faults.ts';
export { asFilter, everybody, type FilterJson, isEmptyFilter, parseFilter } from './model/filter-json.ts';

export interface FilterBuilderProps {
  filter: FilterJson;
  onChange: (filter: FilterJson) => void;
  isReadOnly?: boolean;
  /** What is wrong, each with its place below `filter`, as `faultsOf(error)` gives it. */
  faults?: readonly Fault[];
  /** What conditions are about: people unless told. */
  subject?: BuilderSubject;
  /** Whose properties are suggested where they are about one event. */
  eventName?: string;
  /** Properties to offer first: those that an import just brought. */
  suggested?: readonly string[];
  /** Of one contact, by place: shown at each condition. */
  marks?: ReadonlyMap<string, Mark> | undefined;
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
  const [inner, setInner] = useState<Readonly<Record<string, number>>>({});
  const report = useCallback((who: string, count: number) => setInner((old) => ({ ...old, [who]: count })), []);
  const unfinished = tree.unfinished + Object.values(inner).reduce((sum, count) => sum + count, 0);
  const { onUnfinished } = props;
  useEffect(() => onUnfinished?.(unfinished), [onUnfinished, unfinished]);
  const byNode = useMemo(() => faultsByNode(faults, tree.paths), [faults, tree.paths]);
  const state = {
    ...{ tree, subject, isReadOnly, suggested, fresh, setFresh, moved, setMoved, report, NestedFilter },
    eventName: props.eventName,
    isWithinMembers: false,
    faults: byNode,
    marks: props.marks,
  };
  return (
    <BuilderContext value={state}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields inside come through here */}
      <div className={classes.builder} onKeyDown={(event) => takeBack(event, tree)}>
        <Head tree={tree} view={view} setView={setView} isReadOnly={isReadOnly} />
        {view === 'json' ? (
          <JsonView filter={filter} onChange={onChange} isReadOnly={isReadOnly} />
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
}

function Head({ tree, view, setView, isReadOnly }: HeadProps) {
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
          {step(t.undo, tree.undo, UndoIcon)}
          {step(t.redo, tree.redo, RedoIcon)}
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

/** ⌘Z and ⇧⌘Z, but not in a field: there they are about the text in it. */
function takeBack(event: KeyboardEvent, { undo, redo }: FilterTree): void {
  if (event.key.toLowerCase() !== 'z' || !(event.metaKey || event.ctrlKey)) return;
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
  event.preventDefault();
  (event.shiftKey ? redo : undo)?.();
}
