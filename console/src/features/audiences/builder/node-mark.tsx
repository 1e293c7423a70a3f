import { Tooltip } from '@mantine/core';
import { CheckIcon, CloseIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/filter.ts';
import { type Mark, useBuilder } from './builder-context.ts';
import classes from './node-mark.module.css';

/** Whether it matches the selected contact, and what was found. */
export function NodeMark({ id }: { id: string }) {
  const { tree, marks } = useBuilder();
  const mark: Mark | undefined = marks?.get(tree.paths.get(id) ?? '');
  if (!mark) return null;
  const { holds } = mark;
  return (
    <Tooltip label={holds ? t.holds : t.holdsNot}>
      <span className={holds ? classes.holds : classes.fails} role="img" aria-label={holds ? t.holds : t.holdsNot}>
        {holds ? <CheckIcon size={14} /> : <CloseIcon size={14} />}
      </span>
    </Tooltip>
  );
}

/** What was found for the contact, below the condition. */
export function NodeFinding({ id }: { id: string }) {
  const { tree, marks } = useBuilder();
  const mark = marks?.get(tree.paths.get(id) ?? '');
  if (!mark || mark.value === undefined) return null;
  return <p className={classes.finding}>{t.was(mark.value === null ? t.foundNothing : JSON.stringify(mark.value))}</p>;
}
