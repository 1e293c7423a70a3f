import type { ReactNode } from 'react';
import classes from './tone-badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

export function ToneBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${classes.badge} ${classes[tone]}`}>{children}</span>;
}
