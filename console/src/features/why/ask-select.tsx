import { type OptionsFilter, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../texts/why.ts';
import type { Choice, ChoiceGroup } from './why-api.ts';

interface AskSelectProps {
  label: string;
  placeholder: string;
  nothing: string;
  chosen: Choice | undefined;
  /** See queries/ask.ts. */
  find: (search: string) => UseQueryOptions<(Choice | ChoiceGroup)[]>;
  onChoose: (value: string | undefined) => void;
}

/** The API has already searched, in more than the label. */
const allOfThem: OptionsFilter = ({ options }) => options;

/** Finds one among millions: the API searches, this only shows the first few. */
export function AskSelect(props: AskSelectProps) {
  const { label, placeholder, nothing, chosen, find, onChoose } = props;
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  // The label of the selected one is in the box; it is not a search.
  const wanted = chosen && text === chosen.label ? '' : text.trim();
  const [search] = useDebouncedValue(wanted, 250);
  const {
    data = [],
    isFetching,
    isPlaceholderData,
  } = useQuery({
    ...find(search),
    enabled: isOpen,
    placeholderData: (old) => old,
  });
  // Until the API has searched for the input, only options that contain it stay: Enter never takes one that was not meant.
  const isFound = search === wanted && !isPlaceholderData;
  const isKnown = data.some((each) =>
    'items' in each ? each.items.some(({ value }) => value === chosen?.value) : each.value === chosen?.value,
  );
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={chosen && !isKnown ? [chosen, ...data] : data}
      value={chosen?.value ?? null}
      onChange={(value) => onChoose(value ?? undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `${t.clear}: ${label}` }}
      onSearchChange={setText}
      onDropdownOpen={() => setIsOpen(true)}
      {...(isFound ? { filter: allOfThem } : {})}
      selectFirstOptionOnChange
      nothingFoundMessage={isFetching ? t.searching : nothing}
    />
  );
}
