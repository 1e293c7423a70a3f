import { Button } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { t } from '../texts/toolbar.ts';
import { CloseIcon } from './icons.tsx';
import classes from './toolbar.module.css';

interface ToolbarProps {
  /** Search and filters, in a row above a table. `classes.grow` of toolbar.module.css lets one take the remaining space. */
  children: ReactNode;
  /** Clears all filters; undefined while there are none. */
  onClear?: (() => void) | undefined;
  /** Controls that act on the table instead of filtering it: columns, export. */
  end?: ReactNode;
}

export function Toolbar({ children, onClear, end }: ToolbarProps) {
  const bar = useRef<HTMLElement>(null);
  const clear = () => {
    onClear?.();
    // The button disappears with the filters, and must not take the focus with it.
    bar.current?.querySelector('input')?.focus();
  };
  return (
    <search className={classes.toolbar} ref={bar}>
      {children}
      {onClear && (
        <Button variant="subtle" color="gray" leftSection={<CloseIcon size={14} />} onClick={clear}>
          {t.clear}
        </Button>
      )}
      {end && <div className={classes.end}>{end}</div>}
    </search>
  );
}
