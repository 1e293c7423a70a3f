import { Button, Group, Text } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { Drawer } from '../../shared/dialog.tsx';
import { t } from '../../texts/contacts.ts';
import { t as shared } from '../../texts/shared.ts';
import { t as toolbar } from '../../texts/toolbar.ts';
import {
  everybody,
  type Fault,
  FilterBuilder,
  type FilterJson,
  isEmptyFilter,
} from '../audiences/builder/filter-builder.tsx';
import classes from './contacts.module.css';

interface FilterDrawerProps {
  filter: FilterJson | undefined;
  faults: readonly Fault[];
  /** Undefined while it is not known. */
  total: number | undefined;
  canSave: boolean;
  onChange: (filter: FilterJson) => void;
  onClose: () => void;
  onSave: () => void;
}

/** The filter beside the table, which follows every change. */
export function FilterDrawer(props: FilterDrawerProps) {
  const { filter, faults, total, canSave, onChange, onClose, onSave } = props;
  const [draft, setDraft] = useState(filter ?? everybody);
  const apply = useDebouncedCallback(onChange, { delay: 300, flushOnUnmount: true });
  const change = (next: FilterJson) => {
    setDraft(next);
    apply(next);
  };
  const isEmpty = isEmptyFilter(draft);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={720}
      // The table stays visible.
      overlayProps={{ backgroundOpacity: 0.25 }}
      title={t.filter}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <Text c="dimmed" mb="md">
        {t.filterText}
      </Text>
      <FilterBuilder place="contacts" filter={draft} onChange={change} faults={faults} />
      <div className={classes.foot}>
        <Button variant="subtle" color="gray" disabled={isEmpty} onClick={() => change(everybody)}>
          {toolbar.clear}
        </Button>
        <Group gap="xs">
          {canSave && (
            <Button variant="default" disabled={isEmpty} onClick={onSave}>
              {t.saveAsList}
            </Button>
          )}
          <Button onClick={onClose} className="tabular">
            {total === undefined ? shared.loading : t.applied(total)}
          </Button>
        </Group>
      </div>
    </Drawer>
  );
}
