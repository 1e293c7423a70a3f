import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './settings.module.css';

/** What a part of the settings is about, and its actions. */
export function TabHead({ text, children }: { text: ReactNode; children?: ReactNode }) {
  return (
    <div className={classes.head}>
      <Text c="dimmed" className={classes.about ?? ''}>
        {text}
      </Text>
      {children && <div className={classes.actions}>{children}</div>}
    </div>
  );
}
