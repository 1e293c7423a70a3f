import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './card.module.css';

/** A part of a page with a heading and its own actions. */
export function Card(props: { title?: string; actions?: ReactNode; children: ReactNode; isFlush?: boolean }) {
  const { title, actions, children, isFlush = false } = props;
  return (
    <section className={classes.card} aria-label={title}>
      {(title || actions) && (
        <header className={classes.head}>
          {title && <Title order={2}>{title}</Title>}
          {actions && <div className={classes.actions}>{actions}</div>}
        </header>
      )}
      <div className={isFlush ? undefined : classes.body}>{children}</div>
    </section>
  );
}
