// Columns of counts that reports share, each with its definition.
import type { CountName } from '@rapport/contract';
import type { Column } from '../../shared/table/column.ts';
import { percent, whole } from '../../texts/numbers.ts';
import { type FigureText, figures } from '../../texts/reports.ts';
import { t as words } from '../../texts/shared.ts';
import type { By } from './by.ts';
import classes from './reports.module.css';

interface Rates {
  deliveryRate: number;
  openRate: number;
  clickRate: number;
  clickToOpenRate: number;
  bounceRate: number;
  unsubscribeRate: number;
}
type Counted = Record<CountName, number> & { rates: Rates };

/** A count, and its share of the whole. */
export function Share({ count, share }: { count: number; share: number }) {
  return (
    <span className={classes.share}>
      {whole(count)} <span className={classes.part}>{percent(share)}</span>
    </span>
  );
}

export function countColumn<Row>(id: string, text: FigureText, of: (row: Row) => number): Column<Row> {
  return {
    id,
    title: text.label,
    definition: text.definition,
    isNumber: true,
    cell: (row) => whole(of(row)),
    sortBy: of,
  };
}

function shareColumn<Row>(
  id: string,
  text: FigureText,
  count: (row: Row) => number,
  share: (row: Row) => number,
  of: (row: Row) => number,
): Column<Row> {
  return {
    ...{ id, title: text.label, definition: text.definition, isNumber: true, sortBy: share },
    // There is no share of nothing.
    cell: (row) => (of(row) === 0 ? words.empty : <Share count={count(row)} share={share(row)} />),
  };
}

export function sentColumns<Row extends Counted>(): Column<Row>[] {
  return [
    countColumn('sent', figures.sent, (row) => row.sent),
    shareColumn(
      'delivered',
      figures.delivered,
      (row) => row.delivered,
      ({ rates }) => rates.deliveryRate,
      (row) => row.sent,
    ),
  ];
}

/** Opens and clicks: for people with their rates, for machines as plain counts. */
export function responseColumns<Row extends Counted>(by: By): Column<Row>[] {
  if (by === 'machines')
    return [
      countColumn('machineOpened', figures.machineOpened, (row) => row.machineOpened),
      countColumn('machineClicked', figures.machineClicked, (row) => row.machineClicked),
    ];
  return [
    shareColumn(
      'opened',
      figures.opened,
      (row) => row.uniqueOpened,
      ({ rates }) => rates.openRate,
      (row) => row.delivered,
    ),
    shareColumn(
      'clicked',
      figures.clicked,
      (row) => row.uniqueClicked,
      ({ rates }) => rates.clickRate,
      (row) => row.delivered,
    ),
  ];
}

export function lossColumns<Row extends Counted>(): Column<Row>[] {
  return [
    shareColumn(
      'bounced',
      figures.bounced,
      (row) => row.bounced,
      ({ rates }) => rates.bounceRate,
      (row) => row.sent,
    ),
    shareColumn(
      'unsubscribed',
      figures.unsubscribed,
      (row) => row.unsubscribed,
      ({ rates }) => rates.unsubscribeRate,
      (row) => row.delivered,
    ),
  ];
}
