import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { listEventNames } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { EventIcon } from '../../shared/icons.tsx';
import { t } from '../../texts/events.ts';

interface EventNameSelectProps {
  value: string | undefined;
  onChange: (eventName: string | undefined) => void;
  placeholder: string;
  className?: string;
}

/** One of the known event names; found by typing, because there may be thousands. */
export function EventNameSelect({ value, onChange, placeholder, className }: EventNameSelectProps) {
  const api = useApi();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed === value ? '' : typed, 200);
  const { data: names = [] } = useQuery({
    ...pageOf(api, listEventNames, { query: { search, pageSize: 50 } }),
    select: ({ rows }) => rows.map(({ eventName }) => eventName),
    placeholderData: keepPreviousData,
  });
  const choices = value !== undefined && !names.includes(value) ? [value, ...names] : names;
  return (
    <Select
      aria-label={t.filterByName}
      placeholder={placeholder}
      leftSection={<EventIcon />}
      className={className ?? ''}
      data={choices}
      value={value ?? null}
      onChange={(name) => onChange(name ?? undefined)}
      searchValue={typed}
      onSearchChange={setTyped}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t.anyName }}
    />
  );
}
