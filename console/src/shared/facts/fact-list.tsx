import type { ReactNode } from 'react';
import classes from './fact-list.module.css';

interface Fact {
  name: string;
  /** Null: it is not shown. */
  value: ReactNode;
  isCode?: boolean;
}

/** Names and values of one thing, as a list. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value, isCode = false }) =>
        value === null || value === undefined ? null : (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd className={isCode ? classes.code : undefined}>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
