import { type FocusEvent, memo } from 'react';
import { Link } from 'wouter';
import classes from './page-tabs.module.css';

interface PageTabsProps<Tab extends string> {
  label: string;
  /** The address of the page; the first tab is the page itself, the others are below it. */
  base: string;
  tabs: readonly { id: Tab; title: string }[];
  current: Tab;
  /** The part of the address that all tabs keep: `?period=7`. */
  query?: string;
}

/** Parts of a page, each with its own address. */
export const PageTabs = memo(Tabs) as typeof Tabs;

function Tabs<Tab extends string>({ label, base, tabs, current, query = '' }: PageTabsProps<Tab>) {
  return (
    <nav aria-label={label} className={classes.tabs} ref={watchEdges} onFocus={showFocused}>
      {tabs.map(({ id, title }, at) => (
        <Link
          key={id}
          href={`${at === 0 ? base : `${base}/${id}`}${query}`}
          className={classes.tab ?? ''}
          {...(id === current ? { 'aria-current': 'page' as const } : {})}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

/** The tab that an address names; the first by default; undefined for an unknown one. */
export function tabOf<Tab extends string>(tabs: readonly { id: Tab }[], named: string | undefined): Tab | undefined {
  return named === undefined ? tabs[0]?.id : tabs.find(({ id }) => id === named)?.id;
}

/** Browsers stop scrolling once a corner of the focused element is visible. */
function showFocused({ target }: FocusEvent<HTMLElement>): void {
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** On a phone the bar is wider than the screen: the current tab must be visible, and an edge fades where there is more. */
function watchEdges(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const link = bar.querySelector<HTMLElement>('[aria-current=page]');
  if (link) bar.scrollLeft = link.offsetLeft - bar.offsetLeft - 24;
  const mark = () => {
    bar.toggleAttribute('data-more-before', bar.scrollLeft > 1);
    bar.toggleAttribute('data-more-after', bar.scrollLeft + bar.clientWidth < bar.scrollWidth - 1);
  };
  mark();
  bar.addEventListener('scroll', mark, { passive: true });
  const resized = new ResizeObserver(mark);
  resized.observe(bar);
  return () => {
    bar.removeEventListener('scroll', mark);
    resized.disconnect();
  };
}
