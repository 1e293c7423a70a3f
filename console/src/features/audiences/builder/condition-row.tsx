import { ActionIcon } from '@mantine/core';
import { CloseIcon, DragIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/filter.ts';
import classes from './builder.module.css';
import { useBuilder } from './builder-context.ts';
import { ConditionFields } from './condition-fields.tsx';
import { labelOf } from './condition-label.ts';
import controls from './controls.module.css';
import { isComplete } from './model/conditions.ts';
import { removeNode, setCondition } from './model/edit.ts';
import type { FilterJson, GroupWord } from './model/filter-json.ts';
import type { Condition } from './model/tree.ts';
import { NodeCount } from './node-count.tsx';
import { NodeFinding, NodeMark } from './node-mark.tsx';
import { NodeMenu } from './node-menu.tsx';
import { SubjectPicker } from './subject-picker.tsx';
import { useNodeMoves } from './use-node-moves.ts';

export function ConditionRow({ condition, word }: { condition: Condition; word: GroupWord }) {
  const { tree, isReadOnly, faults } = useBuilder();
  const { id, json } = condition;
  const { edge, row, handle } = useNodeMoves(id);
  const label = labelOf(json);
  const said = label ? `${label.kind} ${label.name}`.trim() : t.condition;
  const change = (next: FilterJson) =>
    tree.change(setCondition(tree.root, id, next), `${id}:${changedKeys(json, next).join()}`);
  const isUnfinished = !isComplete(json);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row everywhere
    <div
      role="group"
      aria-label={said}
      className={classes.condition}
      data-edge={edge}
      data-path={tree.paths.get(id)}
      {...row}
    >
      {!isReadOnly && (
        <span className={classes.handle} title={t.drag} aria-hidden="true" {...handle}>
          <DragIcon />
        </span>
      )}
      <div className={classes.content}>
        <div className={controls.line}>
          <SubjectPicker id={id} json={json} onChange={change} />
          <ConditionFields json={json} onChange={change} isReadOnly={isReadOnly} />
        </div>
        {isUnfinished && !isReadOnly && label && <p className={classes.unfinished}>{t.unfinished}</p>}
        {faults.get(id)?.map((fault) => (
          <p key={fault} className={classes.fault} role="alert">
            {fault}
          </p>
        ))}
        <NodeCount id={id} word={word} />
        <NodeFinding id={id} />
      </div>
      <div className={classes.ends}>
        <NodeMark id={id} />
        <NodeMenu node={condition} label={said} />
        {!isReadOnly && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t.removeWhat(said)}
            onClick={() => tree.change(removeNode(tree.root, id))}
          >
            <CloseIcon size={14} />
          </ActionIcon>
        )}
      </div>
    </div>
  );
}

function changedKeys(before: FilterJson, after: FilterJson): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}
