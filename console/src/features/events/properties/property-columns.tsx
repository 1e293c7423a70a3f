import { Progress } from '@mantine/core';
import type { propertyTypes } from '@rapport/contract';
import { propertyText } from '../../../shared/property-text.ts';
import type { Column } from '../../../shared/table/column.ts';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/events.ts';
import classes from './property-columns.module.css';

/** Of a record or an event: the same table shows both. */
export interface PropertyRow {
  name: string;
  types: readonly (typeof propertyTypes)[number][];
  share: number;
  examples: readonly unknown[];
}

export const propertyColumns: Column<PropertyRow>[] = [
  {
    id: 'name',
    title: t.property,
    width: '30%',
    cell: ({ name }) => <span className={classes.key}>{name}</span>,
    sortBy: ({ name }) => name,
  },
  {
    id: 'types',
    title: t.types,
    cell: ({ types }) => (
      <span className={classes.types}>
        {types.map((type) => (
          <ToneBadge key={type} tone="quiet">
            {t.typeNames[type]}
          </ToneBadge>
        ))}
      </span>
    ),
    isEmpty: ({ types }) => types.length === 0,
  },
  {
    id: 'share',
    title: t.share,
    width: '11rem',
    sortBy: ({ share }) => share,
    cell: ({ share }) => (
      <span className={classes.share}>
        <Progress value={share * 100} className={classes.bar ?? ''} aria-hidden="true" />
        <span className={`tabular ${classes.percent}`}>{t.shareOf(share)}</span>
      </span>
    ),
  },
  {
    id: 'examples',
    title: t.examples,
    cell: ({ examples }) => examples.map((each) => propertyText(each)).join(', '),
    isEmpty: ({ examples }) => examples.length === 0,
  },
];
