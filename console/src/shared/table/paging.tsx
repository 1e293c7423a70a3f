import { Button } from '@mantine/core';
import type { Page } from '@rapport/client';
import { whole } from '../../texts/numbers.ts';
import { t } from '../../texts/shared.ts';
import classes from './data-table.module.css';

export function Paging({ page, onPage }: { page: Page<unknown>; onPage: (pageNumber: number) => void }) {
  const { pageNumber, pageSize, totalElements, totalPages, rows } = page;
  const first = (pageNumber - 1) * pageSize + 1;
  const total = whole(totalElements);
  return (
    <nav className={classes.foot} aria-label={t.pages}>
      <span className="tabular" role="status">
        {rows.length === 0 ? t.of('0', '0', total) : t.of(whole(first), whole(first + rows.length - 1), total)}
      </span>
      {totalPages > 1 && (
        <div className={classes.turns}>
          <Button
            variant="default"
            size="xs"
            disabled={pageNumber <= 1}
            onClick={() => onPage(Math.min(pageNumber - 1, totalPages))}
          >
            {t.previous}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={pageNumber >= totalPages}
            onClick={() => onPage(pageNumber + 1)}
          >
            {t.next}
          </Button>
        </div>
      )}
    </nav>
  );
}

/** Under rows that are all here. */
export function RowCount({ count }: { count: number }) {
  return (
    <div className={classes.foot}>
      <span className="tabular">{t.of('1', whole(count), whole(count))}</span>
    </div>
  );
}
