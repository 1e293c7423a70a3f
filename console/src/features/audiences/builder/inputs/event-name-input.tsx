import { Autocomplete } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../../texts/filter.ts';
import classes from '../controls.module.css';
import { useEventNames } from '../suggestions.ts';

interface EventNameInputProps {
  value: string;
  onChange: (name: string) => void;
  isReadOnly: boolean;
}

/** A known event name; another one can be typed, for future events. */
export function EventNameInput({ value, onChange, isReadOnly }: EventNameInputProps) {
  const [isOpen, setOpen] = useState(false);
  const { data = [] } = useEventNames(value, isOpen);
  return (
    <Autocomplete
      aria-label={t.eventName}
      className={classes.value ?? ''}
      placeholder={t.eventName}
      value={value}
      data={data.map(({ eventName }) => eventName)}
      // The API has searched already.
      filter={({ options }) => options}
      disabled={isReadOnly}
      onChange={onChange}
      onFocus={() => setOpen(true)}
      maxDropdownHeight={260}
    />
  );
}
