import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { TrashIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-steps.ts';
import classes from './panel.module.css';

interface WayGroupProps {
  title: string;
  /** Undefined if it cannot be removed. */
  onRemove: (() => void) | undefined;
  children: ReactNode;
}

/** One of several ways out of a step. */
export function WayGroup({ title, onRemove, children }: WayGroupProps) {
  return (
    <fieldset className={classes.group} aria-label={title}>
      <div className={classes.groupHead}>
        {title}
        {onRemove && (
          <ActionIcon variant="subtle" color="gray" aria-label={t.removeThis(title)} onClick={onRemove}>
            <TrashIcon />
          </ActionIcon>
        )}
      </div>
      {children}
    </fieldset>
  );
}
