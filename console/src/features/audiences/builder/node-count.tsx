import { t } from '../../../texts/filter.ts';
import { useBuilder } from './builder-context.ts';
import type { GroupWord } from './model/filter-json.ts';
import classes from './node-mark.module.css';

/** How many contacts are left after a part of the filter, and what it takes away or adds. `word` is that of the group that it is in. */
export function NodeCount({ id, word }: { id: string; word: GroupWord }) {
  const { tree, counts } = useBuilder();
  const path = tree.paths.get(id);
  if (!counts || path === undefined) return null;
  const node = counts.nodes?.get(path);
  return (
    <p className={classes.counts} data-testid="node-count">
      {node
        ? `${t.leftAfter(node.left, word === 'any', counts.isExact)} · ${t.changes(node.without - counts.count, counts.isExact)}`
        : t.counting}
    </p>
  );
}
