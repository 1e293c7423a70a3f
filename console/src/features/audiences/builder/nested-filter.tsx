// A filter inside a condition: which events count, which members. It has its own tree, and is sent as part of its condition.
import { CloseButton, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../texts/filter.ts';
import classes from './builder.module.css';
import { BuilderContext, type NestedFilterProps, useBuilder } from './builder-context.ts';
import { GroupView } from './group-view.tsx';
import { useFilterTree } from './use-filter-tree.ts';

const nothing = new Map();

export function NestedFilter(props: NestedFilterProps) {
  const { title, filter, subject, eventName, isWithinMembers = false, onChange, onRemove } = props;
  const outer = useBuilder();
  const tree = useFilterTree(filter, onChange, { isInside: true });
  const [fresh, setFresh] = useState<string>();
  const [moved, setMoved] = useState<string>();
  const state = {
    ...outer,
    ...{ tree, subject, eventName, fresh, setFresh, moved, setMoved },
    isWithinMembers: outer.isWithinMembers || isWithinMembers,
    // Explanations and faults stop at the enclosing condition.
    faults: nothing,
    marks: undefined,
    counts: undefined,
  };
  return (
    <BuilderContext value={state}>
      {onRemove && (
        <div className={classes.nestedHead}>
          <Text span fw={500}>
            {title}
          </Text>
          {!outer.isReadOnly && <CloseButton aria-label={t.removeWhat(title)} onClick={onRemove} />}
        </div>
      )}
      <GroupView group={tree.root} label={title} />
    </BuilderContext>
  );
}
