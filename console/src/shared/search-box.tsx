import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { SearchIcon } from './icons.tsx';

interface SearchBoxProps {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (value: string) => void;
  className?: string | undefined;
}

/** Searches a quarter of a second after the last key. */
export function SearchBox({ label, placeholder, value, onSearch, className }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const search = useDebouncedCallback(onSearch, 250);
  // Clearing the filters empties the box too; text being typed stays.
  useEffect(() => setText((now) => (value === '' || now === '' ? value : now)), [value]);
  return (
    <TextInput
      type="search"
      data-shortcut="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<SearchIcon />}
      value={text}
      className={className ?? ''}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
