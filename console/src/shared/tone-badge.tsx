import type { ReactNode } from 'react';
import type { Tone } from '../theme/tone.ts';
import classes from './tone-badge.module.css';

export function ToneBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${classes.badge} ${classes[tone]}`}>{children}</span>;
}
