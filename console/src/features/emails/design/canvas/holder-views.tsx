// Blocks that hold others.
import type { ColumnsBlock, EachBlock, IfBlock } from '@rapport/contract';
import type { CSSProperties } from 'react';
import { words } from '../../../../texts/designs.ts';
import { filterWords } from '../../../audiences/filter-words.ts';
import type { BlockPath } from '../model/places.ts';
import type { Selection } from '../use-design-editor.ts';
import classes from './canvas.module.css';
import { useCanvas } from './canvas-context.ts';

interface HolderProps<Held> {
  path: BlockPath;
  block: Held;
  selection: Selection | undefined;
}

export function ColumnsView({ path, block: { columns, stack }, selection }: HolderProps<ColumnsBlock>) {
  const { List } = useCanvas();
  return (
    <div className={classes.columns} data-stack={stack}>
      {columns.map(({ width, blocks }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is named by its place
        <div key={at} className={classes.column} style={{ '--share': `${width}%` } as CSSProperties}>
          <List list={`${path}.columns[${at}].blocks`} blocks={blocks} selection={selection} />
        </div>
      ))}
    </div>
  );
}

export function IfView({ path, block, selection }: HolderProps<IfBlock>) {
  const { List } = useCanvas();
  return (
    <div className={classes.condition}>
      <p className={classes.conditionLabel}>{words.ifLabel(filterWords(block.filter as Record<string, unknown>))}</p>
      <List list={`${path}.blocks`} blocks={block.blocks} selection={selection} />
      {block.else && (
        <>
          <p className={classes.conditionLabel}>{words.elseLabel}</p>
          <List list={`${path}.else`} blocks={block.else} selection={selection} />
        </>
      )}
    </div>
  );
}

export function EachView({ path, block, selection }: HolderProps<EachBlock>) {
  const { List } = useCanvas();
  return (
    <div className={classes.condition}>
      <p className={classes.conditionLabel}>{words.eachLabel(block.of)}</p>
      <List list={`${path}.blocks`} blocks={block.blocks} selection={selection} />
    </div>
  );
}
