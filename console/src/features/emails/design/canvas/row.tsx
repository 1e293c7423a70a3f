import type { CSSProperties, ReactNode } from 'react';
import classes from './canvas.module.css';

interface RowProps {
  style: Omit<CSSProperties, 'textAlign'> & { textAlign?: CSSProperties['textAlign'] | undefined };
  isQuiet?: boolean;
  children: ReactNode;
}

export function Row({ style: { textAlign, ...style }, isQuiet = false, children }: RowProps) {
  return (
    <div
      className={classes.row}
      data-quiet={isQuiet || undefined}
      style={{ ...style, ...(textAlign ? { textAlign } : {}) }}
    >
      {children}
    </div>
  );
}
