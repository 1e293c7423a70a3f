import { t } from '../../../texts/events.ts';
import { compact } from '../../../texts/numbers.ts';
import classes from './day-bars.module.css';
import { lastDays } from './last-days.ts';

const bar = { width: 4, gap: 1, height: 24 };

/** A month of days as small bars, each name with its own scale: what matters is when. How many there were is beside them. */
export function DayBars({ days }: { days: readonly { day: string; count: number }[] }) {
  const all = lastDays(days, new Date());
  const most = Math.max(1, ...all.map(({ count }) => count));
  const sum = all.reduce((total, { count }) => total + count, 0);
  return (
    <span className={classes.row}>
      <svg
        role="img"
        aria-label={t.inLastDays(sum)}
        width={all.length * (bar.width + bar.gap)}
        height={bar.height}
        className={classes.bars}
      >
        {all.map(({ day, count }, at) => {
          const height = count === 0 ? 1 : Math.max(2, (count / most) * bar.height);
          return (
            <rect
              key={day}
              x={at * (bar.width + bar.gap)}
              y={bar.height - height}
              width={bar.width}
              height={height}
              rx={1}
              className={count === 0 ? classes.none : undefined}
            >
              <title>{t.onDay(day, count)}</title>
            </rect>
          );
        })}
      </svg>
      <span aria-hidden="true" className="tabular">
        {compact(sum)}
      </span>
    </span>
  );
}
