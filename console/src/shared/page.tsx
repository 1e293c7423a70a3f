import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** What the browser's tab says, where it differs. */
  windowTitle?: string;
  lead?: ReactNode;
  above?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

// The first page that a browser shows starts at its top, where the skip link is.
let isFirst = true;

/** The frame of every page. The heading takes the focus, so that a screen reader hears where the person arrived. */
export function Page({ title, windowTitle = title, lead, above, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  useEffect(() => {
    document.title = `${windowTitle} · Rapport`;
  }, [windowTitle]);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.titles}>
          {above}
          <Title order={1} ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </Title>
          {lead && <div className={classes.lead}>{lead}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
