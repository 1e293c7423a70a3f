import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './states.module.css';

interface EmptyStateProps {
  title: string;
  text: ReactNode;
  icon?: ReactNode;
  children?: ReactNode;
}

/** An empty state: says why, and what to do about it. */
export function EmptyState({ title, text, icon, children }: EmptyStateProps) {
  return (
    <div className={classes.state}>
      {icon && <div className={classes.sign}>{icon}</div>}
      <Title order={2}>{title}</Title>
      <Text className={classes.text}>{text}</Text>
      {children && <div className={classes.actions}>{children}</div>}
    </div>
  );
}
