import { Button, Group, Skeleton } from '@mantine/core';
import { previewFilter } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { dataOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { t } from '../../texts/contacts.ts';
import classes from './contacts.module.css';

interface FilterLineProps {
  filterText: string;
  /** The table's exact total; undefined while it is not known. */
  total: number | undefined;
  canSave: boolean;
  onEdit: () => void;
  onSave: () => void;
}

/** The filter in words. */
export function FilterLine({ filterText, total, canSave, onEdit, onSave }: FilterLineProps) {
  const api = useApi();
  const { data, isPending } = useQuery({
    ...dataOf(api, previewFilter, { query: { filter: filterText } }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  return (
    <section className={classes.sentence} aria-label={t.filter}>
      <div className={classes.words} role="status">
        {total !== undefined && <span className={`tabular ${classes.count}`}>{t.match(total)}. </span>}
        {isPending ? <Skeleton height={14} width="60%" /> : data?.text}
      </div>
      <Group gap="xs">
        <Button variant="subtle" onClick={onEdit}>
          {t.editFilter}
        </Button>
        <Button variant="subtle" component={Link} href={`/audience?filter=${encodeURIComponent(filterText)}`}>
          {t.openBuilder}
        </Button>
        {canSave && (
          <Button variant="default" onClick={onSave}>
            {t.saveAsList}
          </Button>
        )}
      </Group>
    </section>
  );
}
