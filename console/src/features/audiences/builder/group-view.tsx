import { Button, Select } from '@mantine/core';
import { Fragment } from 'react';
import { DragIcon, PlusIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/filter.ts';
import classes from './builder.module.css';
import { useBuilder } from './builder-context.ts';
import { ConditionRow } from './condition-row.tsx';
import { addNode, deepest, setWord } from './model/edit.ts';
import { type GroupWord, groupWords } from './model/filter-json.ts';
import { conditionOf, depthOf, type Group, groupWith, isGroup } from './model/tree.ts';
import { NodeCount } from './node-count.tsx';
import { NodeMark } from './node-mark.tsx';
import { NodeMenu } from './node-menu.tsx';
import { useNodeMoves } from './use-node-moves.ts';

const between: Record<GroupWord, string> = { all: t.and, any: t.or, none: t.nor };

interface GroupViewProps {
  group: Group;
  label?: string;
  /** The word of the group around it. */
  within?: GroupWord;
}

/** A group: the word that joins its parts, the parts, and the ways to add another. */
export function GroupView({ group, label = t.group, within }: GroupViewProps) {
  const { tree, isReadOnly, faults, subject } = useBuilder();
  const isTop = tree.root.id === group.id;
  const { edge, row, handle } = useNodeMoves(group.id);
  const empty = group.word === 'any' ? t.emptyAny : subject === 'event' ? t.emptyEvent : t.emptyAll;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row everywhere
    <div
      role="group"
      aria-label={label}
      className={isTop ? classes.top : classes.group}
      data-edge={isTop ? undefined : edge}
      data-path={tree.paths.get(group.id)}
      {...(isTop ? {} : row)}
    >
      <div className={classes.groupHead}>
        {!isTop && !isReadOnly && (
          <span className={classes.handle} title={t.drag} aria-hidden="true" {...handle}>
            <DragIcon />
          </span>
        )}
        <span>{t.match}</span>
        <Select
          aria-label={t.matchOf(label)}
          className={classes.join ?? ''}
          data={groupWords.map((word) => ({ value: word, label: t.words[word] }))}
          value={group.word}
          allowDeselect={false}
          disabled={isReadOnly}
          onChange={(word) => tree.change(setWord(tree.root, group.id, (word ?? 'all') as GroupWord))}
        />
        <span>{t.wordsOf[group.word]}</span>
        <span className={classes.ends}>
          <NodeMark id={group.id} />
          {!isTop && <NodeMenu node={group} label={label} />}
        </span>
      </div>
      {faults.get(group.id)?.map((fault) => (
        <p key={fault} className={classes.fault} role="alert">
          {fault}
        </p>
      ))}
      {group.parts.length === 0 && <p className={classes.empty}>{empty}</p>}
      <div className={classes.parts}>
        {group.parts.map((part, at) => (
          <Fragment key={part.id}>
            {at > 0 && <span className={classes.between}>{between[group.word]}</span>}
            {isGroup(part) ? (
              <GroupView group={part} within={group.word} />
            ) : (
              <ConditionRow condition={part} word={group.word} />
            )}
          </Fragment>
        ))}
      </div>
      {within && <NodeCount id={group.id} word={within} />}
      {!isReadOnly && <Adders group={group} />}
    </div>
  );
}

function Adders({ group }: { group: Group }) {
  const { tree, setFresh } = useBuilder();
  const canNest = depthOf(tree.root) < deepest;
  const add = (isInGroup: boolean) => {
    const condition = conditionOf({});
    setFresh(condition.id);
    const word = group.word === 'any' ? 'all' : 'any';
    tree.change(addNode(tree.root, group.id, isInGroup ? groupWith(word, [condition]) : condition));
  };
  return (
    <div className={classes.adders}>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<PlusIcon size={14} />}
        aria-label={t.addConditionTo}
        onClick={() => add(false)}
      >
        {t.addCondition}
      </Button>
      {canNest && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<PlusIcon size={14} />}
          aria-label={t.addGroupTo}
          onClick={() => add(true)}
        >
          {t.addGroup}
        </Button>
      )}
    </div>
  );
}
