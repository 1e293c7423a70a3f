// biome-ignore-all lint/a11y/noAriaHiddenOnFocusable: rows that only hold a place are no rows, and take no focus
// biome-ignore-all lint/a11y/noRedundantRoles: as cards, with display: block, the parts of a table would lose their roles
// Rows of a window over very many: only those near the viewport exist.
import { Skeleton } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import classes from './data-table.module.css';
import type { TableProps } from './table-props.ts';
import { TableRow } from './table-row.tsx';
import type { RowWindow } from './use-row-window.ts';

/** Until a row was measured. If it were off by a pixel, all rows would be repositioned for each one that comes into view. */
const usualHeight = 44;

export function VirtualBody<Row>({ window: rows, ...props }: TableProps<Row> & { window: RowWindow<Row> }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    if (body.current) setMargin(body.current.getBoundingClientRect().top + globalThis.scrollY);
  }, []);
  const height = useRef(usualHeight);
  const virtual = useWindowVirtualizer({
    count: rows.total,
    estimateSize: () => height.current,
    overscan: 12,
    scrollMargin: margin,
    // React 19 warns about a flush inside an effect, which a scroll may be.
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const isDrawn = items.length > 0;
  // Cards on a phone are taller, depending on their content.
  useLayoutEffect(() => {
    const drawn = isDrawn && body.current?.querySelector<HTMLElement>('tr[role=row]');
    if (!drawn || drawn.offsetHeight === height.current) return;
    height.current = drawn.offsetHeight;
    virtual.measure();
  }, [virtual, isDrawn]);
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { onRange } = rows;
  useEffect(() => onRange(first, last), [onRange, first, last]);
  const above = (items[0]?.start ?? margin) - margin;
  const below = virtual.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
  const cells = props.columns.length + (props.picking ? 1 : 0);
  return (
    <tbody role="rowgroup" ref={body}>
      <Space height={above} />
      {items.map(({ index, key, size }) => {
        const row = rows.rowAt(index);
        return row === undefined ? (
          <tr key={key} data-index={index} aria-hidden="true" style={{ height: size }}>
            <td colSpan={cells} className={classes.waiting}>
              <Skeleton height={14} width="60%" />
            </td>
          </tr>
        ) : (
          <TableRow key={props.rowKey(row)} {...props} row={row} index={index} measure={virtual.measureElement} />
        );
      })}
      <Space height={below} />
    </tbody>
  );
}

function Space({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className={classes.space} style={{ height }}>
      <td style={{ height }} />
    </tr>
  );
}
