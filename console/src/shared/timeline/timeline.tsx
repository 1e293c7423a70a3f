// The one timeline: what happened, newest or oldest first, by day. Loads more when the end comes into sight.
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { t } from '../../texts/shared.ts';
import { ErrorState } from '../error-state.tsx';
import { LoadingState } from '../loading-state.tsx';
import type { Tone } from '../tone-badge.tsx';
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
      {!error && <More onMore={onMore} isLoading={isLoadingMore} />}
    </section>
  );
}

function Entry({ item: { at, title, detail, icon, tone = 'quiet', href } }: { item: TimelineItem }) {
  return (
    <li className={classes.item}>
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

/** Asks for more when it is seen; the button is for the keyboard, and where nothing is ever seen. */
function More({ onMore, isLoading }: { onMore: (() => void) | undefined; isLoading: boolean }) {
  const end = useRef<HTMLDivElement>(null);
  const hadMore = useRef(false);
  useEffect(() => {
    if (!onMore || isLoading || !end.current) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '300px' });
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [onMore, isLoading]);
  useEffect(() => {
    // The button has gone with the focus: whoever was on it goes on behind the last entry, not at the top of the page.
    if (hadMore.current && !onMore && document.activeElement === document.body) end.current?.focus();
    hadMore.current = onMore !== undefined;
  }, [onMore]);
  return (
    <div ref={end} className={classes.more} tabIndex={-1}>
      {onMore && (
        // Stays, and is not disabled, while more is on its way: it keeps the focus.
        <Button variant="default" size="xs" aria-busy={isLoading} onClick={() => !isLoading && onMore()}>
          {isLoading ? t.loading : t.more}
        </Button>
      )}
    </div>
  );
}
