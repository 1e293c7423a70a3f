import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { listEventNames, listProperties } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';

interface SuggestFieldProps {
  of: 'events' | 'properties';
  label: string;
  value: string;
  onChange: (value: string) => void;
  isReadOnly: boolean;
  error?: string | undefined;
}

/** A name from the workspace's own data, suggested while typing. A new name may be typed, too. */
export function SuggestField({ of, label, value, onChange, isReadOnly, error }: SuggestFieldProps) {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const [search] = useDebouncedValue(value.trim(), 200);
  const isWanted = isOpen && !isReadOnly;
  const { data: events = [] } = useQuery({
    ...pageOf(api, listEventNames, { query: { search, pageSize: 20 } }),
    select: ({ rows }) => rows.map(({ eventName }) => eventName),
    enabled: isWanted && of === 'events',
    placeholderData: keepPreviousData,
  });
  const { data: properties = [] } = useQuery({
    ...pageOf(api, listProperties, { query: { of: 'contact', search, pageSize: 20 } }),
    select: ({ rows }) => rows.map(({ key }) => key),
    enabled: isWanted && of === 'properties',
    placeholderData: keepPreviousData,
  });
  const names = of === 'events' ? events : properties;
  return (
    <Autocomplete
      label={label}
      value={value}
      onChange={onChange}
      readOnly={isReadOnly}
      error={error}
      data={[...new Set(names)]}
      filter={({ options }) => options}
      onDropdownOpen={() => setOpen(true)}
    />
  );
}
