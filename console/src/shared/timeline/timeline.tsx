// The one timeline component: what happened, newest or oldest first, by day. Loads more when its end comes into view.
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Link } from 'wouter';
import { t } from '../../texts/shared.ts';
import type { Tone } from '../../theme/tone.ts';
import { ErrorState } from '../error-state.tsx';
import { LoadingState } from '../loading-state.tsx';
import { byDay, clockTime } from './by-day.ts';
import classes from './timeline.module.css';

export interface TimelineItem {
  key: string;
  at: string;
  title: ReactNode;
  detail?: ReactNode;
  icon?: ReactNode;
  tone?: Tone;
  href?: string | undefined;
}

interface TimelineProps {
  label: string;
  items: readonly TimelineItem[];
  isPending?: boolean;
  error?: Error | null;
  onRetry?: () => void;
  /** Undefined: there is no more. */
  onMore?: (() => void) | undefined;
  isLoadingMore?: boolean;
  empty: ReactNode;
}

export function Timeline(props: TimelineProps) {
  const { label, items, isPending = false, error, onRetry, onMore, isLoadingMore = false, empty } = props;
  if (isPending) return <LoadingState label={label} />;
  if (items.length === 0) return error ? <ErrorState error={error} {...(onRetry ? { onRetry } : {})} compact /> : empty;
  return (
    <section aria-label={label}>
      {byDay(items).map(({ day, items: own }) => (
        <div key={day}>
          <h3 className={classes.day}>{day}</h3>
          <ol className={classes.items}>
            {own.map((item) => (
              <Entry key={item.key} item={item} />
            ))}
          </ol>
        </div>
      ))}
      {error && <ErrorState error={error} {...(onRetry ? { onRetry } : {})} compact />}
      {!error && <More onMore={onMore} isLoading={isLoadingMore} count={items.length} />}
    </section>
  );
}

function Entry({ item: { at, title, detail, icon, tone = 'quiet', href } }: { item: TimelineItem }) {
  return (
    <li className={classes.item} tabIndex={-1}>
      <span className={`${classes.sign} ${classes[tone]}`}>{icon}</span>
      <div className={classes.text}>
        <div className={classes.title}>{href ? <Link href={href}>{title}</Link> : title}</div>
        {detail && <div className={classes.detail}>{detail}</div>}
      </div>
      <time dateTime={at} className={classes.time}>
        {clockTime(at)}
      </time>
    </li>
  );
}

interface MoreProps {
  onMore: (() => void) | undefined;
  isLoading: boolean;
  /** How many entries there are. */
  count: number;
}

/** Loads more when it becomes visible; the button is for the keyboard, and for browsers that never report it as visible. */
function More({ onMore, isLoading, count }: MoreProps) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!onMore || isLoading || !end.current) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '300px' });
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [onMore, isLoading]);
  const hasFocus = useRef(false);
  const known = useRef(count);
  useLayoutEffect(() => {
    // If the button had the focus, it moves to the first new entry; if there is none and the button is gone, after the last one.
    const entry = end.current?.parentElement?.querySelectorAll('li')[known.current];
    known.current = count;
    if (!hasFocus.current || (!entry && onMore)) return;
    hasFocus.current = false;
    (entry ?? end.current)?.focus();
  }, [count, onMore]);
  return (
    <div ref={end} className={classes.more} tabIndex={-1}>
      {onMore && (
        // It stays enabled while more is loading, so that it keeps the focus.
        <Button
          variant="default"
          size="xs"
          aria-busy={isLoading}
          onClick={() => !isLoading && onMore()}
          onFocus={() => {
            hasFocus.current = true;
          }}
          onBlur={() => {
            hasFocus.current = false;
          }}
        >
          {isLoading ? t.loading : t.more}
        </Button>
      )}
    </div>
  );
}
