import { Skeleton, VisuallyHidden } from '@mantine/core';
import classes from './states.module.css';

const widths = ['62%', '88%', '74%', '81%', '55%'];

/** Grey lines in place of the rows. */
export function LoadingState({ label, rows = 5 }: { label: string; rows?: number }) {
  return (
    <div role="status" className={classes.rows}>
      <VisuallyHidden>{label}…</VisuallyHidden>
      {widths.slice(0, rows).map((width) => (
        <Skeleton key={width} height={18} width={width} />
      ))}
    </div>
  );
}
