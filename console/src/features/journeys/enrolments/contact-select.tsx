// One contact, found by part of its address or name.
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { listContacts } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import toolbar from '../../../shared/toolbar.module.css';
import { t } from '../../../texts/journeys.ts';

interface ContactSelectProps {
  label?: string;
  ariaLabel?: string;
  value: string | undefined;
  onChange: (contactId: string | undefined) => void;
  error?: string | undefined;
  isFocused?: boolean;
  /** The address of the selected contact, if the page knows it. */
  knownAs?: string | undefined;
}

export function ContactSelect(props: ContactSelectProps) {
  const { label, ariaLabel, value, onChange, error, isFocused = false, knownAs } = props;
  const api = useApi();
  const [text, setText] = useState('');
  // No request before the field is used.
  const [isWanted, setWanted] = useState(false);
  const [search] = useDebouncedValue(text, 250);
  const { data: found = [] } = useQuery({
    ...pageOf(api, listContacts, { query: { search, pageSize: 20 } }),
    select: ({ rows }) => rows,
    placeholderData: keepPreviousData,
    enabled: isWanted,
  });
  const choices = found.map(({ id, email }) => ({ value: id, label: email }));
  const known = value === undefined || choices.some((each) => each.value === value);
  return (
    <Select
      label={label}
      aria-label={ariaLabel}
      placeholder={label ? t.contactHint : t.anyContact}
      w={label ? undefined : 220}
      className={(!label && toolbar.fill) || ''}
      data={known ? choices : [{ value, label: knownAs ?? value }, ...choices]}
      value={value ?? null}
      error={error}
      searchable
      clearable
      // The service has already searched, including names, which are not shown.
      filter={({ options }) => options}
      onDropdownOpen={() => setWanted(true)}
      onSearchChange={setText}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearButtonProps={{ 'aria-label': t.anyContact }}
      {...(isFocused ? { 'data-autofocus': true } : {})}
    />
  );
}
