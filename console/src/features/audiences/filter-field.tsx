// A condition in words, and the console's one filter builder to edit it.
import { Button, Group, Input, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { Modal } from '../../shared/dialog.tsx';
import { EditIcon, PlusIcon } from '../../shared/icons.tsx';
import { LoadingState } from '../../shared/loading-state.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';
import { t } from '../../texts/journey-steps.ts';
import { type FilterJson, isEmptyFilter } from './builder/model/filter-json.ts';
import classes from './filter-field.module.css';
import { filterWords } from './filter-words.ts';

const FilterBuilder = lazy(async () => ({
  default: (await import('./builder/filter-builder.tsx')).FilterBuilder,
}));

interface FilterFieldProps {
  label: string;
  filter: FilterJson | undefined;
  /** Undefined: no condition. A required one cannot be removed. */
  onChange: (filter: FilterJson | undefined) => void;
  isReadOnly: boolean;
  isOptional?: boolean;
  /** A condition on one event instead of the contact. */
  eventName?: string | undefined;
  hint?: string;
  /** The meaning of no condition. */
  none?: string;
}

export function FilterField(props: FilterFieldProps) {
  const { label, filter, onChange, isReadOnly, isOptional = false, eventName, hint } = props;
  const { none = eventName === undefined ? t.noCondition : t.anyEvent(eventName) } = props;
  const all = eventName === undefined ? t.everyone : none;
  const [isOpen, setOpen] = useState(false);
  // The journey, the open step, and which of its fields.
  const [path] = useLocation();
  const { param } = usePageParams();
  return (
    <Input.Wrapper label={label} description={hint}>
      <div className={classes.field}>
        <Text size="sm" className={classes.words} c={filter ? 'var(--text)' : 'dimmed'}>
          {filter ? (isEmptyFilter(filter) ? all : filterWords(filter)) : none}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={filter ? <EditIcon size={14} /> : <PlusIcon size={14} />}
            aria-label={`${filter ? t.editCondition : t.setCondition}: ${label}`}
            onClick={() => setOpen(true)}
          >
            {filter ? t.editCondition : t.setCondition}
          </Button>
          {filter && isOptional && !isReadOnly && (
            <Button variant="subtle" color="gray" size="xs" onClick={() => onChange(undefined)}>
              {t.clearCondition}
            </Button>
          )}
        </Group>
      </div>
      {isOpen && (
        <Modal
          opened
          onClose={() => setOpen(false)}
          title={eventName === undefined ? t.conditionTitle : t.eventConditionTitle(eventName)}
          size="xl"
        >
          <Suspense fallback={<LoadingState label={t.conditionTitle} rows={3} />}>
            <FilterBuilder
              place={`${path}:${param('open') ?? ''}:${label}`}
              filter={filter ?? { all: [] }}
              onChange={onChange}
              isReadOnly={isReadOnly}
              subject={eventName === undefined ? 'contact' : 'event'}
              {...(eventName === undefined ? {} : { eventName })}
            />
          </Suspense>
          <Group justify="flex-end" mt="md">
            <Button onClick={() => setOpen(false)}>{t.conditionDone}</Button>
          </Group>
        </Modal>
      )}
    </Input.Wrapper>
  );
}
