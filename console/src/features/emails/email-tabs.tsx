import { Link } from 'wouter';
import classes from './email-tabs.module.css';

const tabs = { content: 'Content', versions: 'Versions', activity: 'Activity' } as const;
export type Tab = keyof typeof tabs;

export function isTab(text: string): text is Tab {
  return Object.hasOwn(tabs, text);
}

/** Links, because each tab has an address of its own. */
export function EmailTabs({ id, current }: { id: string; current: Tab }) {
  return (
    <nav aria-label="Parts of the email" className={classes.tabs}>
      {(Object.keys(tabs) as Tab[]).map((tab) => (
        <Link
          key={tab}
          href={tab === 'content' ? `/emails/${id}` : `/emails/${id}/${tab}`}
          className={classes.tab ?? ''}
          {...(tab === current ? { 'aria-current': 'page' as const } : {})}
        >
          {tabs[tab]}
        </Link>
      ))}
    </nav>
  );
}
