import { Button } from '@mantine/core';
import { isObject } from '@rapport/contract';
import { FilterIcon } from '../../../../shared/icons.tsx';
import { t } from '../../../../texts/filter.ts';
import { useBuilder } from '../builder-context.ts';
import classes from '../controls.module.css';
import { everybody, type FilterJson } from '../model/filter-json.ts';

interface WhereFieldsProps {
  json: FilterJson;
  onChange: (json: FilterJson) => void;
  isReadOnly: boolean;
  eventName: string;
}

/** Which of the events count: a filter of its own over one event, as long as it is wanted. */
export function WhereFields({ json, onChange, isReadOnly, eventName }: WhereFieldsProps) {
  const { NestedFilter } = useBuilder();
  const { where, ...rest } = json;
  if (!isObject(where))
    return isReadOnly ? null : (
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<FilterIcon size={14} />}
        onClick={() => onChange({ ...rest, where: everybody })}
      >
        {t.addWhere}
      </Button>
    );
  return (
    <div className={classes.inner}>
      <NestedFilter
        title={t.where}
        filter={where}
        subject="event"
        eventName={eventName}
        onChange={(next) => onChange({ ...rest, where: next })}
        onRemove={() => onChange(rest)}
      />
    </div>
  );
}
