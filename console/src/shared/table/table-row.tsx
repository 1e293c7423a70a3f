// biome-ignore-all lint/a11y/noRedundantRoles: as cards, with display: block, the parts of a table would lose their roles
import { type MouseEvent, memo, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { t } from '../../texts/shared.ts';
import classes from './data-table.module.css';
import { PickBox } from './pick-box.tsx';
import type { TableProps } from './table-props.ts';

type RowProps<Row> = Pick<TableProps<Row>, 'columns' | 'href' | 'onOpen' | 'picking' | 'rowKey'> & {
  row: Row;
  /** Its position among all rows, from 1; the heading is row 1. */
  index?: number;
  measure?: (element: HTMLTableRowElement | null) => void;
};

const interactive = 'a, button, input, label, select, textarea, [role=menuitem], [role=button]';

function Row<Row>(props: RowProps<Row>) {
  const { row, columns, href, onOpen, picking, rowKey, index, measure } = props;
  const [, navigate] = useLocation();
  const key = rowKey(row);
  const to = href?.(row);
  const isOpenable = to !== undefined || onOpen !== undefined;
  const open = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    // React also reports clicks in a dialog that a cell has opened.
    if (!isOpenable || !event.currentTarget.contains(target)) return;
    // Buttons and links inside act for themselves, and selecting text is not a click.
    if (target.closest(interactive) || getSelection()?.toString()) return;
    if (to === undefined) onOpen?.(row);
    else if (event.ctrlKey || event.metaKey) window.open(`/console${to}`, '_blank', 'noreferrer');
    else navigate(to);
  };
  return (
    // The keyboard and screen readers use the link or button in the first cell.
    <tr
      role="row"
      ref={measure}
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      aria-selected={picking ? picking.picked.has(key) : undefined}
      data-opens={isOpenable || undefined}
      onClick={open}
    >
      {picking && (
        <td role="cell" className={classes.pick}>
          <PickBox
            label={t.selectRow(picking.nameOf(row))}
            isPicked={picking.picked.has(key)}
            onPick={(isPicked) => picking.onPick(toggled(picking.picked, key, isPicked))}
          />
        </td>
      )}
      {columns.map((column, at) => (
        <td
          key={column.id}
          role="cell"
          data-label={at === 0 || column.isUntitled ? undefined : column.title}
          data-empty={column.isEmpty?.(row) || undefined}
          className={`${at === 0 ? classes.first : classes.quiet} ${column.isNumber ? classes.number : ''} ${column.isIcon ? classes.icon : ''}`}
        >
          {at === 0 ? (
            <Opener to={to} onOpen={onOpen && (() => onOpen(row))}>
              {column.cell(row)}
            </Opener>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** Rendered again only if something about it changed: while scrolling, most rows stay. */
export const TableRow = memo(Row) as typeof Row;

function Opener(props: { to: string | undefined; onOpen: (() => void) | undefined; children: ReactNode }) {
  const { to, onOpen, children } = props;
  if (to !== undefined)
    return (
      <Link href={to} className={classes.main ?? ''}>
        {children}
      </Link>
    );
  if (onOpen)
    return (
      <button type="button" className={classes.main} onClick={onOpen}>
        {children}
      </button>
    );
  return <div className={classes.main}>{children}</div>;
}

function toggled(picked: ReadonlySet<string>, key: string, isPicked: boolean): Set<string> {
  const next = new Set(picked);
  if (isPicked) next.add(key);
  else next.delete(key);
  return next;
}
