import { Button } from '@mantine/core';
import { CloseIcon, ListIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/contacts.ts';
import { whole } from '../../../texts/numbers.ts';
import { t as shared } from '../../../texts/shared.ts';
import classes from '../contacts.module.css';
import type { Selection } from './selection.ts';

interface SelectionBarProps {
  selection: Selection;
  total: number;
  onSelectAll: () => void;
  onClear: () => void;
  onAdd: () => void;
}

/** Actions for the selection. At the bottom of the screen, so that nothing moves. */
export function SelectionBar({ selection, total, onSelectAll, onClear, onAdd }: SelectionBarProps) {
  const isAll = selection.kind === 'all' || selection.ids.size === total;
  return (
    <section className={classes.bar} aria-label={t.selectionBar}>
      <span className="tabular" role="status">
        {selection.kind === 'all' ? t.selectedAll(total) : shared.selected(whole(selection.ids.size))}
      </span>
      {!isAll && (
        <Button variant="subtle" onClick={onSelectAll}>
          {t.selectEverybody(total)}
        </Button>
      )}
      <Button leftSection={<ListIcon />} onClick={onAdd}>
        {t.addToList}
      </Button>
      <Button variant="subtle" color="gray" leftSection={<CloseIcon size={14} />} onClick={onClear}>
        {t.clearSelection}
      </Button>
    </section>
  );
}
