// biome-ignore-all lint/a11y/noRedundantRoles: as cards, with display: block, the parts of a table would lose their roles
import { UnstyledButton } from '@mantine/core';
import { t } from '../../texts/shared.ts';
import { Definition } from '../figure.tsx';
import { ArrowDownIcon, ArrowUpIcon } from '../icons.tsx';
import { type Column, nextSort, sortState } from './column.ts';
import classes from './data-table.module.css';
import { PickBox } from './pick-box.tsx';
import type { TableProps } from './table-props.ts';

type HeadProps<Row> = Pick<TableProps<Row>, 'columns' | 'sort' | 'onSort' | 'picking'> & { rowKeys: readonly string[] };

export function TableHead<Row>({ columns, sort, onSort, picking, rowKeys }: HeadProps<Row>) {
  const isEveryPicked = rowKeys.every((key) => picking?.picked.has(key));
  return (
    <thead role="rowgroup">
      <tr role="row">
        {picking && (
          <th scope="col" role="columnheader" className={classes.pick} aria-label={t.selectAll}>
            {rowKeys.length > 0 && (
              <PickBox
                label={t.selectAll}
                isPicked={isEveryPicked}
                isPartly={!isEveryPicked && rowKeys.some((key) => picking.picked.has(key))}
                onPick={(all) => picking.onPick(allOrNone(picking.picked, rowKeys, all))}
              />
            )}
          </th>
        )}
        {columns.map((column) => (
          <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  );
}

function allOrNone(picked: ReadonlySet<string>, keys: readonly string[], all: boolean): Set<string> {
  const next = new Set(picked);
  for (const key of keys) {
    if (all) next.add(key);
    else next.delete(key);
  }
  return next;
}

interface HeadingProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: ((sort: string | undefined) => void) | undefined;
}

function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const state = onSort ? sortState(column, sort) : undefined;
  const { title, isUntitled, isNumber, width, definition } = column;
  return (
    <th
      scope="col"
      role="columnheader"
      aria-label={isUntitled ? title : undefined}
      aria-sort={state}
      className={isNumber ? classes.number : undefined}
      style={width ? { width } : undefined}
    >
      <span className={definition ? classes.defined : undefined}>
        {isUntitled ? null : state ? (
          <UnstyledButton
            className={classes.sort}
            onClick={() => onSort?.(nextSort(column, sort))}
            title={t.sortedBy(title)}
          >
            {title}
            <span className={classes.arrow} data-shown={state !== 'none' || undefined}>
              {state === 'descending' ? <ArrowDownIcon size={12} /> : <ArrowUpIcon size={12} />}
            </span>
          </UnstyledButton>
        ) : (
          title
        )}
        {definition && <Definition of={title} text={definition} />}
      </span>
    </th>
  );
}
