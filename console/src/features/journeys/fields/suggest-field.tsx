import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { searchEventNames, searchProperties } from '../journey-api.ts';

interface SuggestFieldProps {
  of: 'events' | 'properties';
  label: string;
  value: string;
  onChange: (value: string) => void;
  isReadOnly: boolean;
  error?: string | undefined;
}

/** A name of the workspace's own data, suggested as one types. One that is not there yet may be typed, too. */
export function SuggestField({ of, label, value, onChange, isReadOnly, error }: SuggestFieldProps) {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const [search] = useDebouncedValue(value.trim(), 200);
  const { data = [] } = useQuery({
    queryKey: keys[of].any('names', { search }),
    queryFn: ({ signal }) => (of === 'events' ? searchEventNames : searchProperties)(api, search, signal),
    enabled: isOpen && !isReadOnly,
    placeholderData: (old) => old,
  });
  return (
    <Autocomplete
      label={label}
      value={value}
      onChange={onChange}
      readOnly={isReadOnly}
      error={error}
      data={[...new Set(data)]}
      filter={({ options }) => options}
      onDropdownOpen={() => setOpen(true)}
    />
  );
}
